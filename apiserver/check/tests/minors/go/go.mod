// Go wants this file, and reads those that are named after minors instead of it: `go build -modfile 1.30.mod`.
module example.com/minors

go 1.22.0
