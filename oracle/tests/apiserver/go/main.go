// What the code of kube-apiserver makes of custom resources and of expressions: an input and its answers are one JSON value
// a line.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"log"
	"os"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	crdvalidation "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	registryrest "k8s.io/apiserver/pkg/registry/rest"
)

type input struct {
	CRD   json.RawMessage `json:"crd"`
	Cases []struct {
		Object json.RawMessage `json:"object"`
		Old    json.RawMessage `json:"old"`
		// Whether the request is for /status.
		Status bool `json:"status"`
	} `json:"cases"`
}

type fault struct {
	Reason string `json:"reason"`
	Field  string `json:"field"`
	Detail string `json:"detail"`
}

type answer struct {
	// Why the object cannot be read at all.
	Undecodable string                 `json:"undecodable,omitempty"`
	Unknown     []string               `json:"unknown"`
	Faults      []fault                `json:"faults"`
	Object      map[string]interface{} `json:"object"`
}

// A version of a CRD as it is served.
type served struct {
	kind       schema.GroupVersionKind
	namespaced bool
	structural *structuralschema.Structural
	object     rest
	status     rest
}

// What a path of the API does with a request. Without an old object it is a create.
type rest struct {
	validate func(obj, old *unstructured.Unstructured) field.ErrorList
	prepare  func(obj, old *unstructured.Unstructured)
}

func serve(raw []byte) (*served, field.ErrorList, error) {
	v1crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := utiljson.Unmarshal(raw, v1crd); err != nil {
		return nil, nil, err
	}
	apiextensionsv1.SetDefaults_CustomResourceDefinitionSpec(&v1crd.Spec)
	crd := &apiextensions.CustomResourceDefinition{}
	if err := apiextensionsv1.Convert_v1_CustomResourceDefinition_To_apiextensions_CustomResourceDefinition(v1crd, crd, nil); err != nil {
		return nil, nil, err
	}
	crd.Status.StoredVersions = []string{v1crd.Spec.Versions[0].Name}
	// Defaults that do not fit make objects that do not, unless it is for their metadata, which is decoded before. What rules
	// might cost keeps no object from being valid.
	var refused field.ErrorList
	for _, one := range crdvalidation.ValidateCustomResourceDefinition(context.TODO(), crd) {
		isDefault := strings.Contains(one.Field, "default") && !strings.Contains(one.Error(), "metadata")
		if !isDefault && !strings.Contains(one.Detail, "cost") {
			refused = append(refused, one)
		}
	}
	if len(refused) > 0 {
		return nil, refused, nil
	}
	version := v1crd.Spec.Versions[0]
	props := &apiextensions.JSONSchemaProps{}
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(version.Schema.OpenAPIV3Schema, props, nil); err != nil {
		return nil, nil, err
	}
	structural, err := structuralschema.NewStructural(props)
	if err != nil {
		return nil, nil, err
	}
	structural = structural.DeepCopy()
	if err := defaulting.PruneDefaults(structural); err != nil {
		return nil, nil, err
	}
	validator, _, err := validation.NewSchemaValidator(props)
	if err != nil {
		return nil, nil, err
	}
	var status *apiextensions.CustomResourceSubresourceStatus
	var scale *apiextensions.CustomResourceSubresourceScale
	if version.Subresources != nil {
		subresources := &apiextensions.CustomResourceSubresources{}
		if err := apiextensionsv1.Convert_v1_CustomResourceSubresources_To_apiextensions_CustomResourceSubresources(version.Subresources, subresources, nil); err != nil {
			return nil, nil, err
		}
		status, scale = subresources.Status, subresources.Scale
	}
	kind := schema.GroupVersionKind{Group: crd.Spec.Group, Version: version.Name, Kind: crd.Spec.Names.Kind}
	var statusValidator validation.SchemaValidator
	if statusProps, has := props.Properties["status"]; has {
		if statusValidator, _, err = validation.NewSchemaValidator(&statusProps); err != nil {
			return nil, nil, err
		}
	}
	strategy := customresource.NewStrategy(runtime.NewScheme(), crd.Spec.Scope == apiextensions.NamespaceScoped, kind, validator, statusValidator, structural, status, scale, nil)
	statusStrategy := customresource.NewStatusStrategy(strategy)
	whole := rest{
		validate: func(obj, old *unstructured.Unstructured) field.ErrorList {
			if old == nil {
				return strategy.Validate(context.TODO(), obj)
			}
			return registryrest.ValidateUpdate(context.TODO(), obj, old, strategy)
		},
		prepare: func(obj, old *unstructured.Unstructured) {
			if old == nil {
				strategy.PrepareForCreate(context.TODO(), obj)
			} else {
				strategy.PrepareForUpdate(context.TODO(), obj, old)
			}
		},
	}
	ofStatus := rest{
		validate: func(obj, old *unstructured.Unstructured) field.ErrorList {
			return registryrest.ValidateUpdate(context.TODO(), obj, old, statusStrategy)
		},
		prepare: func(obj, old *unstructured.Unstructured) {
			statusStrategy.PrepareForUpdate(context.TODO(), obj, old)
		},
	}
	namespaced := crd.Spec.Scope == apiextensions.NamespaceScoped
	return &served{kind: kind, namespaced: namespaced, structural: structural, object: whole, status: ofStatus}, nil, nil
}

// Reads an object as the server's decoder does: metadata, unknown fields, nulls, defaults.
func (s *served) decode(raw []byte) (*unstructured.Unstructured, []string, error) {
	object := map[string]interface{}{}
	if err := utiljson.Unmarshal(raw, &object); err != nil {
		return nil, nil, err
	}
	u := &unstructured.Unstructured{Object: object}
	kind, hasKind, err := unstructured.NestedString(object, "kind")
	if err != nil {
		return nil, nil, err
	}
	apiVersion, hasVersion, err := unstructured.NestedString(object, "apiVersion")
	if err != nil {
		return nil, nil, err
	}
	metadata, hasMetadata, unknown, err := objectmeta.GetObjectMetaWithOptions(object, objectmeta.ObjectMetaOptions{ReturnUnknownFieldPaths: true})
	if err != nil {
		return nil, nil, err
	}
	options := structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true}
	unknown = append(unknown, pruning.PruneWithOptions(object, s.structural, true, options)...)
	defaulting.PruneNonNullableNullsWithoutDefaults(object, s.structural)
	fault, paths := objectmeta.CoerceWithOptions(nil, object, s.structural, false, objectmeta.CoerceOptions{ReturnUnknownFieldPaths: true})
	if fault != nil {
		return nil, nil, fault
	}
	unknown = append(unknown, paths...)
	if hasKind {
		u.SetKind(kind)
	}
	if hasVersion {
		u.SetAPIVersion(apiVersion)
	}
	if hasMetadata {
		if err := objectmeta.SetObjectMeta(object, metadata); err != nil {
			return nil, nil, err
		}
	}
	defaulting.Default(object, s.structural)
	// The path of a request has the namespace.
	namespace := registryrest.ExpectedNamespaceForScope(u.GetNamespace(), s.namespaced)
	if err := registryrest.EnsureObjectNamespaceMatchesRequestNamespace(namespace, u); err != nil {
		return nil, nil, err
	}
	return u, unknown, nil
}

func stored(raw []byte) ([]byte, error) {
	var object interface{}
	if err := utiljson.Unmarshal(raw, &object); err != nil {
		return nil, err
	}
	return json.Marshal(object)
}

func (s *served) answer(raw, oldRaw []byte, path rest) answer {
	object, unknown, err := s.decode(raw)
	if err != nil {
		return answer{Undecodable: err.Error()}
	}
	var old *unstructured.Unstructured
	if len(oldRaw) > 0 {
		// What is stored was written by a server: whole numbers have no fraction.
		if oldRaw, err = stored(oldRaw); err != nil {
			return answer{Undecodable: "old: " + err.Error()}
		}
		if old, _, err = s.decode(oldRaw); err != nil {
			return answer{Undecodable: "old: " + err.Error()}
		}
	}
	path.prepare(object, old)
	found := answer{Unknown: append([]string{}, unknown...), Faults: []fault{}}
	for _, one := range path.validate(object, old) {
		found.Faults = append(found.Faults, fault{string(one.Type), one.Field, one.Detail})
	}
	if len(found.Faults) == 0 {
		// As it is read from the storage.
		defaulting.PruneNonNullableNullsWithoutDefaults(object.Object, s.structural)
		defaulting.Default(object.Object, s.structural)
	}
	found.Object = object.Object
	return found
}

func answers(line []byte) (interface{}, error) {
	var asked expressions
	if err := json.Unmarshal(line, &asked); err != nil {
		return nil, err
	}
	if len(asked.Expressions) > 0 {
		return asked.values()
	}
	var priced rules
	if err := json.Unmarshal(line, &priced); err != nil {
		return nil, err
	}
	if len(priced.Rules) > 0 {
		return priced.verdicts()
	}
	var given input
	if err := json.Unmarshal(line, &given); err != nil {
		return nil, err
	}
	s, refused, err := serve(given.CRD)
	if err != nil {
		return nil, err
	}
	if len(refused) > 0 {
		return map[string]string{"refused": refused.ToAggregate().Error()}, nil
	}
	found := []answer{}
	for _, one := range given.Cases {
		path := s.object
		if one.Status {
			path = s.status
		}
		found = append(found, s.answer(one.Object, one.Old, path))
	}
	return found, nil
}

func main() {
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) == 0 && err != nil {
			return
		}
		found, err := answers(line)
		if err != nil {
			log.Fatalf("%s: %v", line, err)
		}
		if err := json.NewEncoder(out).Encode(found); err != nil {
			log.Fatal(err)
		}
	}
}
