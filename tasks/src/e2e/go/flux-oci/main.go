// Pulls an artifact as Flux's source-controller does, or lists a repository as `flux list artifacts` does.
//
//	flux-oci pull HOST/REPOSITORY:TAG FOLDER
//	flux-oci list HOST/REPOSITORY RANGE
//
// `pull` prints the digest, the revision and the source; `list` a line for each tag.
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/fluxcd/pkg/oci"
)

func main() {
	if err := run(context.Background(), os.Args[1], os.Args[2], os.Args[3]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, verb, url, argument string) error {
	client := oci.NewClient(oci.DefaultOptions())
	if verb == "list" {
		found, err := client.List(ctx, url, oci.ListOptions{SemverFilter: argument})
		for _, one := range found {
			fmt.Println(one.URL, one.Revision, one.Source, one.Created)
		}
		return err
	}
	found, err := client.Pull(ctx, url, argument)
	if err != nil {
		return err
	}
	fmt.Println(found.Digest, found.Revision, found.Source, found.Created)
	return nil
}
