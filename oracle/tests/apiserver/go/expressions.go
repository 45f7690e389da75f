package main

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"sort"
	"strconv"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	schemacel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/version"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
)

// Expressions, and the object that they read.
type expressions struct {
	Schema      json.RawMessage `json:"schema"`
	Self        json.RawMessage `json:"self"`
	Expressions []string        `json:"expressions"`
}

// What an expression gives: `refused` if it does not compile, `error`, `limit` if it costs too much, or the value as text.
type result struct {
	Gives string  `json:"gives"`
	Costs *uint64 `json:"costs"`
}

// The minor of the code, so that rules can use everything that it knows.
var minor = version.MajorMinor(1, 37)

// Rules, and the schema of what they are on.
type rules struct {
	Schema json.RawMessage `json:"schema"`
	Rules  []string        `json:"rules"`
}

// The maximum cost of each rule; `refused` if it does not compile, `unrunnable` if it compiles and cannot run, `crash`.
func (given *rules) verdicts() ([]string, error) {
	structural, err := structuralOf(given.Schema)
	if err != nil {
		return nil, err
	}
	verdicts := []string{}
	for _, rule := range given.Rules {
		structural.XValidations = apiextensionsv1.ValidationRules{{Rule: rule}}
		verdicts = append(verdicts, verdict(structural))
	}
	return verdicts, nil
}

func verdict(structural *structuralschema.Structural) (answer string) {
	defer func() {
		if recover() != nil {
			answer = "crash"
		}
	}()
	itself := model.SchemaDeclType(structural, false)
	found, err := schemacel.Compile(structural, itself, celconfig.PerCallLimit, environment.MustBaseEnvSet(minor), schemacel.NewExpressionsEnvLoader())
	switch {
	case err != nil:
		return "refused"
	case found[0].Error == nil:
		return strconv.FormatUint(found[0].MaxCost, 10)
	case strings.HasPrefix(found[0].Error.Detail, "program instantiation failed"):
		return "unrunnable"
	}
	return "refused"
}

func structuralOf(raw []byte) (*structuralschema.Structural, error) {
	v1props := &apiextensionsv1.JSONSchemaProps{}
	if err := utiljson.Unmarshal(raw, v1props); err != nil {
		return nil, err
	}
	props := &apiextensions.JSONSchemaProps{}
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(v1props, props, nil); err != nil {
		return nil, err
	}
	return structuralschema.NewStructural(props)
}

func (given *expressions) values() ([]result, error) {
	structural, err := structuralOf(given.Schema)
	if err != nil {
		return nil, err
	}
	var object interface{}
	if err := utiljson.Unmarshal(given.Self, &object); err != nil {
		return nil, err
	}
	itself := model.SchemaDeclType(structural, false).MaybeAssignTypeName("selfType")
	set, err := environment.MustBaseEnvSet(minor).Extend(environment.VersionedOptions{
		IntroducedVersion: version.MajorMinor(1, 0),
		EnvOptions:        []cel.EnvOption{cel.Variable("self", itself.CelType())},
		DeclTypes:         []*apiservercel.DeclType{itself},
	})
	if err != nil {
		return nil, err
	}
	env := set.NewExpressionsEnv()
	activation := map[string]interface{}{"self": schemacel.UnstructuredToVal(object, structural)}
	answers := []result{}
	for _, expression := range given.Expressions {
		gives, costs := value(env, expression, activation)
		answers = append(answers, result{gives, costs})
	}
	return answers, nil
}

func value(env *cel.Env, expression string, activation map[string]interface{}) (answer string, costs *uint64) {
	defer func() {
		if recover() != nil {
			answer = "refused: crash"
		}
	}()
	tree, issues := env.Compile(expression)
	if issues != nil && issues.Err() != nil {
		return "refused: " + issues.Err().Error(), nil
	}
	program, err := env.Program(tree)
	if err != nil {
		return "refused: " + err.Error(), nil
	}
	found, details, err := program.Eval(activation)
	if details != nil {
		costs = details.ActualCost()
	}
	switch {
	case err != nil && strings.HasPrefix(err.Error(), "operation cancelled"):
		return "limit", costs
	case err != nil:
		return "error", costs
	}
	return text(found), costs
}

func text(value ref.Val) string {
	switch value := value.(type) {
	case types.Null:
		return "null"
	case types.Bool:
		return strconv.FormatBool(bool(value))
	case types.Int:
		return fmt.Sprintf("i%d", value)
	case types.Uint:
		return fmt.Sprintf("u%d", value)
	case types.Double:
		if math.IsNaN(float64(value)) {
			return "f:nan"
		}
		return fmt.Sprintf("f:%x", math.Float64bits(float64(value)))
	case types.String:
		return "s:" + hex.EncodeToString([]byte(value))
	case types.Bytes:
		return "x:" + hex.EncodeToString(value)
	case types.Timestamp:
		return fmt.Sprintf("t:%d.%d", value.Unix(), value.Nanosecond())
	case types.Duration:
		return fmt.Sprintf("d:%d", value.Duration.Nanoseconds())
	case *types.Optional:
		if !value.HasValue() {
			return "none"
		}
		return "some(" + text(value.GetValue()) + ")"
	case apiservercel.Quantity:
		return quantity(value)
	case *apiservercel.Quantity:
		return quantity(*value)
	case apiservercel.IP:
		return "ip:" + value.Addr.String()
	case apiservercel.CIDR:
		return "cidr:" + value.Prefix.String()
	case apiservercel.URL:
		return "url"
	case apiservercel.Semver:
		return "semver:" + value.Version.String()
	case apiservercel.Format:
		return "format:" + strings.ToLower(value.Name)
	case traits.Lister:
		items := []string{}
		for i := types.Int(0); i < value.Size().(types.Int); i++ {
			items = append(items, text(value.Get(i)))
		}
		return "[" + strings.Join(items, ",") + "]"
	case traits.Mapper:
		entries := []string{}
		for keys := value.Iterator(); keys.HasNext() == types.True; {
			key := keys.Next()
			entries = append(entries, text(key)+":"+text(value.Get(key)))
		}
		sort.Strings(entries)
		return "{" + strings.Join(entries, ",") + "}"
	case ref.Type:
		return "type:" + value.TypeName()
	case *types.Err:
		return "error"
	}
	return fmt.Sprintf("other: %T", value)
}

// The digits without the zeros behind, and the exponent.
func quantity(value apiservercel.Quantity) string {
	decimal := value.Quantity.DeepCopy()
	digits := new(big.Int).Set(decimal.AsDec().UnscaledBig())
	exponent := -int64(decimal.AsDec().Scale())
	ten := big.NewInt(10)
	for digits.Sign() != 0 {
		rest := new(big.Int)
		whole, _ := new(big.Int).QuoRem(digits, ten, rest)
		if rest.Sign() != 0 {
			break
		}
		digits, exponent = whole, exponent+1
	}
	if digits.Sign() == 0 {
		exponent = 0
	}
	return fmt.Sprintf("q:%se%d", digits, exponent)
}
