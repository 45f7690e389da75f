mod nothing{}
