// Compiles patterns as kube-apiserver does: on each line of stdin a JSON list of a pattern and texts; on each line of stdout a
// list that says which texts match, or null if the pattern is refused.
package main

import (
	"bufio"
	"encoding/json"
	"os"
	"regexp"
)

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	answers := bufio.NewWriter(os.Stdout)
	defer answers.Flush()
	answer := json.NewEncoder(answers)
	for lines.Scan() {
		var texts []string
		if err := json.Unmarshal(lines.Bytes(), &texts); err != nil {
			panic(err)
		}
		var matches []bool
		if pattern, err := regexp.Compile(texts[0]); err == nil {
			matches = []bool{}
			for _, text := range texts[1:] {
				matches = append(matches, pattern.MatchString(text))
			}
		}
		if err := answer.Encode(matches); err != nil {
			panic(err)
		}
	}
}
