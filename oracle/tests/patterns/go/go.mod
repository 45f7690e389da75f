module patterns

go 1.26
