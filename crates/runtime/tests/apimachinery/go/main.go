// What Kubernetes' own client code makes of the inputs of the two examples: one JSON value a line.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"os"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/net"
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

// The one difference that is meant: what is older than the condition is left out.
func conditions(line []byte) (any, error) {
	var input struct {
		Now        metav1.Time        `json:"now"`
		Conditions []metav1.Condition `json:"conditions"`
		Set        metav1.Condition   `json:"set"`
	}
	if err := json.Unmarshal(line, &input); err != nil {
		return nil, err
	}
	found := meta.FindStatusCondition(input.Conditions, input.Set.Type)
	if found == nil || found.ObservedGeneration <= input.Set.ObservedGeneration {
		input.Set.LastTransitionTime = input.Now
		meta.SetStatusCondition(&input.Conditions, input.Set)
	}
	return input.Conditions, nil
}

func main() {
	answer := map[string]func([]byte) (any, error){"warnings": warnings, "conditions": conditions}[os.Args[1]]
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
