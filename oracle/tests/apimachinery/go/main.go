// What Kubernetes' own client code makes of the inputs of the two examples: one JSON value a line.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/apiserver/pkg/endpoints/filters"
	recording "k8s.io/apiserver/pkg/warning"
)

type warning struct {
	Code  int    `json:"code"`
	Agent string `json:"agent"`
	Text  string `json:"text"`
}

func warnings(line []byte) (any, error) {
	var values []string
	if err := json.Unmarshal(line, &values); err != nil {
		return nil, err
	}
	parsed, _ := net.ParseWarningHeaders(values)
	found := []warning{}
	for _, one := range parsed {
		found = append(found, warning{one.Code, one.Agent, one.Text})
	}
	return found, nil
}

// The texts that a server sends for the warnings of a webhook.
func recorder(line []byte) (any, error) {
	var texts []string
	if err := json.Unmarshal(line, &texts); err != nil {
		return nil, err
	}
	add := func(_ http.ResponseWriter, request *http.Request) {
		for _, text := range texts {
			recording.AddWarning(request.Context(), "", text)
		}
	}
	response := httptest.NewRecorder()
	request := httptest.NewRequest("GET", "/", nil)
	filters.WithWarningRecorder(http.HandlerFunc(add)).ServeHTTP(response, request)
	parsed, _ := net.ParseWarningHeaders(response.Header()["Warning"])
	sent := []string{}
	for _, one := range parsed {
		sent = append(sent, one.Text)
	}
	return sent, nil
}

func conditions(line []byte) (any, error) {
	var input struct {
		Now        metav1.Time        `json:"now"`
		Conditions []metav1.Condition `json:"conditions"`
		Set        metav1.Condition   `json:"set"`
	}
	if err := json.Unmarshal(line, &input); err != nil {
		return nil, err
	}
	input.Set.LastTransitionTime = input.Now
	meta.SetStatusCondition(&input.Conditions, input.Set)
	return input.Conditions, nil
}

func main() {
	answer := map[string]func([]byte) (any, error){
		"warnings": warnings, "conditions": conditions, "recorder": recorder,
	}[os.Args[1]]
	// The recorder reports that it cuts, and waits.
	runtime.ErrorHandlers = nil
	lines := bufio.NewReader(os.Stdin)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) == 0 && err != nil {
			return
		}
		value, err := answer(line)
		if err != nil {
			log.Fatal(err)
		}
		written, err := json.Marshal(value)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(string(written))
	}
}
