// Does with the objects on standard input what Argo CD does with those of an Application.
//
//	argocd sync|diff APPLICATION
//
// `sync` prints a line for each object: what it is, and what was done with it. `diff` prints a line for each object that
// differs, for each of the ways in which Argo CD compares.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"slices"
	"time"

	"github.com/argoproj/argo-cd/gitops-engine/pkg/cache"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/diff"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/engine"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/sync"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/sync/common"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/utils/kube"
	"github.com/argoproj/argo-cd/gitops-engine/pkg/utils/tracing"
	"github.com/go-logr/logr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

const (
	namespace = "default"
	manager   = "argocd-controller"
	tracking  = "argocd.argoproj.io/tracking-id"
	patience  = time.Minute
)

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := run(ctx, os.Args[1], application(os.Args[2])); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, verb string, name application) error {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		return err
	}
	// As Argo CD does; what client-go has by itself makes a look at a cluster take ten seconds.
	config.QPS, config.Burst = 50, 100
	objects, err := name.read(os.Stdin)
	if err != nil {
		return err
	}
	cluster := cache.NewClusterCache(config,
		cache.SetLogr(logr.Discard()),
		cache.SetPopulateResourceInfoHandler(func(object *unstructured.Unstructured, _ bool) (any, bool) {
			id := object.GetAnnotations()[tracking]
			return id, id != ""
		}))
	if err := cluster.EnsureSynced(); err != nil {
		return err
	}
	switch verb {
	case "sync":
		return name.synchronize(ctx, config, cluster, objects)
	case "diff":
		return name.differences(config, cluster, objects)
	}
	return fmt.Errorf("no such verb: %s", verb)
}

// The name of an Application.
type application string

// With the annotation by which Argo CD knows what is its own.
func (name application) read(from io.Reader) ([]*unstructured.Unstructured, error) {
	text, err := io.ReadAll(from)
	if err != nil {
		return nil, err
	}
	objects, err := kube.SplitYAML(text)
	for _, object := range objects {
		annotations := object.GetAnnotations()
		if annotations == nil {
			annotations = map[string]string{}
		}
		annotations[tracking] = name.trackingID(kube.GetResourceKey(object))
		object.SetAnnotations(annotations)
	}
	return objects, err
}

func (name application) trackingID(key kube.ResourceKey) string {
	return fmt.Sprintf("%s:%s/%s:%s/%s", name, key.Group, key.Kind, namespace, key.Name)
}

func (name application) isManaged(resource *cache.Resource) bool {
	return resource.Info == name.trackingID(resource.ResourceKey())
}

// As with the sync option ServerSideApply=true, and with pruning.
func (name application) synchronize(
	ctx context.Context, config *rest.Config, cluster cache.ClusterCache, objects []*unstructured.Unstructured,
) error {
	// Nobody on a server without controllers completes a deletion in the foreground.
	background := metav1.DeletePropagationBackground
	results, err := engine.NewEngine(config, cluster, engine.WithLogr(logr.Discard())).Sync(
		ctx, objects, name.isManaged, "", namespace,
		sync.WithLogr(logr.Discard()),
		sync.WithManifestValidation(true),
		sync.WithServerSideApply(true),
		sync.WithServerSideApplyManager(manager),
		sync.WithPrunePropagationPolicy(&background),
		sync.WithPrune(true),
	)
	failed := 0
	for _, result := range results {
		fmt.Printf("%s/%s %s: %s\n", result.ResourceKey.Kind, result.ResourceKey.Name, result.Status, result.Message)
		if result.Status == common.ResultCodeSyncFailed {
			failed++
		}
	}
	if err == nil && failed > 0 {
		err = fmt.Errorf("%d objects were not synchronized", failed)
	}
	return err
}

func (name application) differences(config *rest.Config, cluster cache.ClusterCache, objects []*unstructured.Unstructured) error {
	kubectl := &kube.KubectlCmd{Log: logr.Discard(), Tracer: tracing.NopTracer{}}
	_, parser, err := kubectl.LoadOpenAPISchema(config)
	if err != nil {
		return err
	}
	applier, cleanup, err := kubectl.ManageServerSideDiffDryRuns(config)
	if err != nil {
		return err
	}
	defer cleanup()
	usual := []diff.Option{diff.WithLogr(logr.Discard()), diff.WithManager(manager), diff.WithGVKParser(parser)}
	ways := map[string][]diff.Option{
		"by last-applied": usual,
		"by structure":    append(slices.Clone(usual), diff.WithStructuredMergeDiff(true)),
		"by the server": append(slices.Clone(usual), diff.WithServerSideDiff(true),
			diff.WithServerSideDryRunner(diff.NewK8sServerSideDryRunner(applier))),
	}
	for way, options := range ways {
		if err := name.compare(cluster, objects, way, options); err != nil {
			return fmt.Errorf("%s: %w", way, err)
		}
	}
	return nil
}

func (name application) compare(cluster cache.ClusterCache, objects []*unstructured.Unstructured, way string, options []diff.Option) error {
	live, err := cluster.GetManagedLiveObjs(objects, name.isManaged)
	if err != nil {
		return err
	}
	pairs := sync.Reconcile(objects, live, namespace, cluster)
	found, err := diff.DiffArray(pairs.Target, pairs.Live, options...)
	if err != nil {
		return err
	}
	for place, one := range found.Diffs {
		if one.Modified {
			object := pairs.Target[place]
			if object == nil {
				object = pairs.Live[place]
			}
			fmt.Printf("%s/%s differs %s\n", object.GetKind(), object.GetName(), way)
		}
	}
	return nil
}
