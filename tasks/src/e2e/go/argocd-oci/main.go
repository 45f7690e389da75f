// Resolves a revision of a repository and unpacks it as Argo CD's repository server does, with its default limits.
//
//	argocd-oci oci://HOST/REPOSITORY REVISION FOLDER
//
// The artifact's files are moved into FOLDER; the digest is printed.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/argoproj/argo-cd/v3/util/io"
	"github.com/argoproj/argo-cd/v3/util/oci"
)

// The defaults of `--oci-layer-media-types` and `--oci-manifest-max-extracted-size`.
var allowed = []string{
	"application/vnd.oci.image.layer.v1.tar",
	"application/vnd.oci.image.layer.v1.tar+gzip",
	"application/vnd.cncf.helm.chart.content.v1.tar+gzip",
}

const largest = 1 << 30

func main() {
	if err := run(context.Background(), os.Args[1], os.Args[2], os.Args[3]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, url, revision, folder string) error {
	scratch := folder + ".cache"
	if err := os.MkdirAll(scratch, 0o700); err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	nothing := func(string) func() { return func() {} }
	failed := func(string) func(string) { return func(string) {} }
	client, err := oci.NewClient(url, oci.Creds{InsecureHTTPOnly: true}, "", "*", allowed,
		oci.WithImagePaths(io.NewRandomizedTempPaths(scratch)),
		oci.WithManifestMaxExtractedSize(largest),
		oci.WithEventHandlers(oci.EventHandlers{
			OnExtract: nothing, OnResolveRevision: nothing, OnDigestMetadata: nothing, OnTestRepo: nothing, OnGetTags: nothing,
			OnExtractFail: failed, OnResolveRevisionFail: failed, OnDigestMetadataFail: failed,
			OnTestRepoFail: nothing, OnGetTagsFail: nothing,
		}))
	if err != nil {
		return err
	}
	digest, err := client.ResolveRevision(ctx, revision, true)
	if err != nil {
		return err
	}
	unpacked, closer, err := client.Extract(ctx, digest)
	if err != nil {
		return err
	}
	defer io.Close(closer)
	if err := os.Rename(unpacked, filepath.Clean(folder)); err != nil {
		return err
	}
	fmt.Println(digest)
	return nil
}
