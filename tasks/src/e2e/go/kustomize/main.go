// Prints what kustomize makes of the folders it is given.
package main

import (
	"fmt"
	"log"
	"os"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
)

func main() {
	for _, folder := range os.Args[1:] {
		made, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), folder)
		if err != nil {
			log.Fatal(err)
		}
		yaml, err := made.AsYaml()
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("---\n%s", yaml)
	}
}
