// Reads YAML as kubectl does: a text, as a JSON string, on each line of stdin; on each line of stdout the objects that kubectl would
// send, or null if it refuses the text.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"os"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/yaml"
)

// As cli-runtime's StreamVisitor does it.
func read(text string) ([]json.RawMessage, error) {
	decoder := yaml.NewYAMLOrJSONDecoder(strings.NewReader(text), 4096)
	objects := []json.RawMessage{}
	for {
		object := runtime.RawExtension{}
		if err := decoder.Decode(&object); err != nil {
			if err == io.EOF {
				return objects, nil
			}
			return nil, err
		}
		raw := bytes.TrimSpace(object.Raw)
		if len(raw) == 0 || bytes.Equal(raw, []byte("null")) {
			continue
		}
		objects = append(objects, raw)
	}
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	answers := bufio.NewWriter(os.Stdout)
	defer answers.Flush()
	answer := json.NewEncoder(answers)
	for lines.Scan() {
		var text string
		if err := json.Unmarshal(lines.Bytes(), &text); err != nil {
			panic(err)
		}
		objects, err := read(text)
		if os.Getenv("WHY") != "" && err != nil {
			os.Stderr.WriteString(err.Error() + "\n")
		}
		if err = answer.Encode(objects); err != nil {
			panic(err)
		}
	}
}
