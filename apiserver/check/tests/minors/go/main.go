// What the code of kube-apiserver answers to a CRD that is created: a CRD and its answer are one JSON value a line.
// It is built once for each minor, with the modules that a `.mod` file beside it names.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"sort"
	"strconv"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresourcedefinition"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
)

type fault struct {
	Reason string `json:"reason"`
	Field  string `json:"field"`
	Detail string `json:"detail"`
}

type answer struct {
	// What the server would have to recover from.
	Crash string `json:"crash,omitempty"`
	// Why the CRD cannot be read at all.
	Undecodable string `json:"undecodable,omitempty"`
	// Fields that servers refuse where they are asked to be strict.
	Unknown []string `json:"unknown,omitempty"`
	// What of the CRD is gone before it is looked at.
	Dropped  []string `json:"dropped,omitempty"`
	Faults   []fault  `json:"faults,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
}

type server struct {
	scheme  *runtime.Scheme
	decoder runtime.Decoder
}

func start() server {
	scheme := runtime.NewScheme()
	install.Install(scheme)
	codecs := serializer.NewCodecFactory(scheme, serializer.EnableStrict)
	info, _ := runtime.SerializerInfoForMediaType(codecs.SupportedMediaTypes(), runtime.ContentTypeJSON)
	return server{scheme, codecs.DecoderToVersion(info.StrictSerializer, apiextensions.SchemeGroupVersion)}
}

func (s server) judge(raw []byte) (out answer) {
	defer func() {
		if crash := recover(); crash != nil {
			out = answer{Crash: fmt.Sprint(crash)}
		}
	}()
	decoded, _, err := s.decoder.Decode(raw, nil, nil)
	if strict, ok := runtime.AsStrictDecodingError(err); ok {
		for _, one := range strict.Errors() {
			out.Unknown = append(out.Unknown, one.Error())
		}
	} else if err != nil {
		out.Undecodable = err.Error()
		return out
	}
	crd := decoded.(*apiextensions.CustomResourceDefinition)
	strategy := customresourcedefinition.NewStrategy(s.scheme)
	strategy.PrepareForCreate(context.TODO(), crd)
	out.Dropped = s.dropped(raw, crd)
	for _, one := range strategy.Validate(context.TODO(), crd) {
		out.Faults = append(out.Faults, fault{string(one.Type), one.Field, one.Detail})
	}
	out.Warnings = strategy.WarningsOnCreate(context.TODO(), crd)
	return out
}

// The fields of the specification that were written and are not there any more.
func (s server) dropped(raw []byte, crd *apiextensions.CustomResourceDefinition) []string {
	left := &apiextensionsv1.CustomResourceDefinition{}
	if err := s.scheme.Convert(crd, left, nil); err != nil {
		return []string{err.Error()}
	}
	text, err := json.Marshal(left.Spec)
	if err != nil {
		return []string{err.Error()}
	}
	var before struct {
		Spec interface{} `json:"spec"`
	}
	var after interface{}
	if json.Unmarshal(raw, &before) != nil || json.Unmarshal(text, &after) != nil {
		return []string{"cannot be compared"}
	}
	var gone []string
	missing("spec", before.Spec, after, &gone)
	sort.Strings(gone)
	return gone
}

func missing(at string, before, after interface{}, gone *[]string) {
	switch before := before.(type) {
	case map[string]interface{}:
		after, _ := after.(map[string]interface{})
		for key, value := range before {
			below := at + "." + key
			if other, ok := after[key]; ok {
				missing(below, value, other, gone)
			} else if !empty(value) {
				*gone = append(*gone, below)
			}
		}
	case []interface{}:
		after, _ := after.([]interface{})
		for index, value := range before {
			below := at + "[" + strconv.Itoa(index) + "]"
			if index < len(after) {
				missing(below, value, after[index], gone)
			} else {
				*gone = append(*gone, below)
			}
		}
	}
}

// Whether a value is what a field has that was not written.
func empty(value interface{}) bool {
	switch value := value.(type) {
	case map[string]interface{}:
		return len(value) == 0
	case []interface{}:
		return len(value) == 0
	default:
		return value == nil || value == false || value == "" || value == float64(0)
	}
}

func main() {
	server := start()
	lines := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		if err := out.Encode(server.judge(line)); err != nil {
			log.Fatal(err)
		}
	}
}
