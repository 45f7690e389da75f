// Command krew is the manager of kubectl's plugins.
package main

import "sigs.k8s.io/krew/cmd/krew/cmd"

func main() { cmd.Execute() }
