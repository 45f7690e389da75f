// Does with a Kustomization what Flux's kustomize-controller does.
//
//	flux apply|diff|delete ARTIFACT KUSTOMIZATION
//
// ARTIFACT is the folder that a source such as a GitRepository would have fetched, KUSTOMIZATION a file. One line is
// printed for each object: what it is, and what was done with it.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"time"

	"github.com/fluxcd/cli-utils/pkg/kstatus/polling"
	"github.com/fluxcd/pkg/kustomize"
	"github.com/fluxcd/pkg/ssa"
	"github.com/fluxcd/pkg/ssa/normalize"
	"github.com/fluxcd/pkg/ssa/utils"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/controller-runtime/pkg/client"
	ctrllog "sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	"sigs.k8s.io/kustomize/api/resmap"
)

const group = "kustomize.toolkit.fluxcd.io"

func main() {
	ctrllog.SetLogger(zap.New())
	if err := run(context.Background(), os.Args[1], os.Args[2], os.Args[3]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, verb, artifact, file string) error {
	manager, err := newManager()
	if err != nil {
		return err
	}
	kustomization, err := read(file)
	if err != nil {
		return err
	}
	objects, err := build(ctx, artifact, *kustomization)
	if err != nil {
		return err
	}
	name, namespace := kustomization.GetName(), kustomization.GetNamespace()
	manager.SetOwnerLabels(objects, name, namespace)
	changes := ssa.NewChangeSet()
	switch verb {
	case "apply":
		changes, err = apply(ctx, manager, objects)
	case "diff":
		changes, err = diff(ctx, manager, objects)
	case "delete":
		if prune, _, _ := unstructured.NestedBool(kustomization.Object, "spec", "prune"); prune {
			changes, err = manager.DeleteAll(ctx, objects, deletion(manager.GetOwnerLabels(name, namespace)))
		}
	default:
		err = fmt.Errorf("no such verb: %s", verb)
	}
	if text := changes.String(); text != "" {
		fmt.Println(text)
	}
	return err
}

func newManager() (*ssa.ResourceManager, error) {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		return nil, err
	}
	cluster, err := client.New(config, client.Options{})
	if err != nil {
		return nil, err
	}
	poller := polling.NewStatusPoller(cluster, cluster.RESTMapper(), polling.Options{})
	return ssa.NewResourceManager(cluster, poller, ssa.Owner{Field: "kustomize-controller", Group: group}), nil
}

func read(file string) (*unstructured.Unstructured, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return utils.ReadObject(bytes.NewReader(text))
}

// The patches of the Kustomization go into the folder's own `kustomization.yaml`, for as long as it is built.
func build(ctx context.Context, artifact string, kustomization unstructured.Unstructured) ([]*unstructured.Unstructured, error) {
	path, _, err := unstructured.NestedString(kustomization.Object, "spec", "path")
	if err != nil {
		return nil, err
	}
	folder := filepath.Join(artifact, path)
	action, err := kustomize.NewGenerator(artifact, kustomization).WriteFile(folder, kustomize.WithSaveOriginalKustomization())
	if err != nil {
		return nil, err
	}
	made, err := kustomize.SecureBuild(artifact, folder, false)
	if err := errors.Join(err, kustomize.CleanDirectory(folder, action)); err != nil {
		return nil, err
	}
	return substitute(ctx, made, kustomization)
}

func substitute(ctx context.Context, made resmap.ResMap, kustomization unstructured.Unstructured) ([]*unstructured.Unstructured, error) {
	for _, resource := range made.Resources() {
		substituted, err := kustomize.SubstituteVariables(ctx, nil, kustomization, resource, kustomize.SubstituteWithStrict(true))
		if err != nil {
			return nil, err
		}
		if substituted != nil {
			if _, err := made.Replace(substituted); err != nil {
				return nil, err
			}
		}
	}
	yaml, err := made.AsYaml()
	if err != nil {
		return nil, err
	}
	objects, err := utils.ReadObjects(bytes.NewReader(yaml))
	if err != nil {
		return nil, err
	}
	return objects, normalize.UnstructuredList(objects)
}

// Definitions first, then the rest, then waiting, as with `wait: true`.
func apply(ctx context.Context, manager *ssa.ResourceManager, objects []*unstructured.Unstructured) (*ssa.ChangeSet, error) {
	options := ssa.DefaultApplyOptions()
	options.WaitInterval = 200 * time.Millisecond
	changes, err := manager.ApplyAllStaged(ctx, objects, options)
	if err != nil {
		return changes, err
	}
	return changes, manager.WaitForSet(changes.ToObjMetadataSet(), ssa.WaitOptions{
		Interval: options.WaitInterval,
		Timeout:  options.WaitTimeout,
	})
}

func diff(ctx context.Context, manager *ssa.ResourceManager, objects []*unstructured.Unstructured) (*ssa.ChangeSet, error) {
	changes := ssa.NewChangeSet()
	for _, object := range objects {
		change, _, _, err := manager.Diff(ctx, object, ssa.DefaultDiffOptions())
		if err != nil {
			return changes, err
		}
		changes.Add(*change)
	}
	return changes, nil
}

// As kustomize-controller prunes: what has its labels, unless it is told not to.
func deletion(labels map[string]string) ssa.DeleteOptions {
	options := ssa.DefaultDeleteOptions()
	options.Inclusions = labels
	options.Exclusions = map[string]string{
		group + "/prune":     "disabled",
		group + "/reconcile": "disabled",
	}
	return options
}
