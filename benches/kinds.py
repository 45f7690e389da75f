"""What a benchmark set consists of: kinds made up from a seed, before they are written as Rust or as Go.

A kind is as large as those of Gateway API are on average, nested six levels deep, with enums, CEL rules, list-maps,
defaults, types of Kubernetes itself and a few experimental fields. The same seed makes the same kinds everywhere.
"""

from dataclasses import dataclass, field

KINDS_PER_GROUP = 10
FEATURES = ["Draining", "Hedging", "Mirroring", "Shadowing"]
# Types of Kubernetes, each with a Rust and a Go name in the printers. `Condition` is used in every status besides.
FOREIGN = ["IntOrString", "LabelSelector", "Quantity", "ResourceRequirements", "SecretKeySelector", "Time", "Toleration"]

FIRST = "Amber Basalt Cedar Delta Ember Fjord Granite Harbor Indigo Juniper Kelp Larch Maple Nickel Opal Pine Quartz Reed".split()
SECOND = "Anchor Bridge Channel Depot Exchange Ferry Gate Hub Inlet Junction Keep Lock Mooring Network Outpost Port Quay".split()
# What the names of further kinds begin with, once there is one of each pair.
BEFORE = ["", "Inner", "Outer", "Upper"]
MOST_KINDS = len(BEFORE) * len(FIRST) * len(SECOND)
ADJECTIVES = "active backup client default edge failed global healthy initial local maximum minimum primary remote shared upstream".split()
NOUNS = "address backoff buffer bucket cache certificate cluster connection cookie endpoint filter header interval limit listener member metric mirror policy pool port probe quota region replica request response retry route session shard signal target timeout token trace tunnel weight window zone".split()
VERBS = "accepts balances caches checks closes collects compares counts delays drains forwards limits measures opens probes reads reports resets retries samples selects sends splits traces trusts verifies writes".split()
CLAUSES = [
    "Without it, the controller chooses a value that fits the size of the cluster",
    "A value that is too small is raised, and the status says so",
    "Changes take effect for new connections only",
    "Implementations that do not support this report it in the conditions of the object",
    "The order matters, and the first one that fits wins",
    "It must not be relied on for access control",
    "The value is compared without regard to case",
    "Objects in other namespaces have to allow it first",
]


class Random:
    """A linear congruential generator of our own, so that a set never depends on the version of Python."""

    def __init__(self, seed):
        self.state = seed * 2 + 1

    def below(self, bound):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (self.state >> 33) % bound

    def pick(self, values):
        return values[self.below(len(values))]

    def chance(self, percent):
        return self.below(100) < percent


@dataclass
class Type:
    """`form` is string, int, bool, enum, struct, foreign, list or map; `name` says which one, `of` a list's items."""

    form: str
    name: str = ""
    of: "Type | None" = None
    minimum: int | None = None
    maximum: int | None = None
    pattern: str | None = None
    merge: str | None = None  # of a list: atomic, set, or the key of a list-map


@dataclass
class Rule:
    expression: str
    message: str
    feature: str | None = None


@dataclass
class Field:
    name: str  # in snake case
    doc: str
    type: Type
    optional: bool = True
    default: object = None
    feature: str | None = None
    rule: Rule | None = None


@dataclass
class Struct:
    name: str
    doc: str
    fields: list[Field]
    rules: list[Rule] = field(default_factory=list)


@dataclass
class Enum:
    name: str
    doc: str
    variants: list[tuple[str, str, str | None]]  # name, doc, feature; the first is the default


@dataclass
class Kind:
    name: str
    group: str
    enums: list[Enum]
    structs: list[Struct]  # the spec and the status are the last two


def camel(snake):
    first, *rest = snake.split("_")
    return first + "".join(word.capitalize() for word in rest)


def pascal(snake):
    return "".join(word.capitalize() for word in snake.split("_"))


def make_kind(number):
    return _Maker(number).kind()


class _Maker:
    def __init__(self, number):
        self.random = Random(number)
        first, second = number % len(FIRST), number // len(FIRST)
        before = BEFORE[second // len(SECOND)]
        self.name = before + FIRST[first] + SECOND[(second + first) % len(SECOND)]
        self.group = f"g{number // KINDS_PER_GROUP:02}.bench.example.com"
        self.enums, self.structs = [], []

    def kind(self):
        enums = [self.enum(f"{self.name}{pascal(self.words())}{i}") for i in range(4)]
        self.enums = enums
        leaves = [self.struct("Leaf", i, 4, []) for i in range(6)]
        parts = [self.struct("Part", i, 3, [leaves[i], leaves[(i + 1) % 6]]) for i in range(6)]
        upper = [self.struct("Section", i, 3, [*parts[2 * i : 2 * i + 2], leaves[i], leaves[i + 3]]) for i in range(3)]
        self.structs += [self.spec(upper), self.status(leaves)]
        return Kind(self.name, self.group, self.enums, self.structs)

    def words(self):
        return f"{self.random.pick(ADJECTIVES)}_{self.random.pick(NOUNS)}"

    def doc(self, subject):
        pick = self.random.pick
        text = f"{subject} {pick(VERBS)} the {pick(ADJECTIVES)} {pick(NOUNS)} of each {pick(NOUNS)} before the {pick(NOUNS)} {pick(VERBS)} it. "
        text += f"{pick(CLAUSES)}."
        if self.random.chance(30):
            text += f" When the {pick(ADJECTIVES)} {pick(NOUNS)} changes, it {pick(VERBS)} the {pick(NOUNS)} again."
        return text

    def enum(self, name):
        names = []
        while len(names) < 3 + self.random.below(4):
            word = pascal(self.words())
            if word not in names:
                names.append(word)
        variants = [(name, self.doc("It"), None) for name in names]
        if self.random.chance(40):
            variants[-1] = (*variants[-1][:2], self.random.pick(FEATURES))
        return Enum(name, self.doc(f"The {pascal(self.words())} mode"), variants)

    def struct(self, role, index, scalars, children):
        name = f"{self.name}{pascal(self.words())}{role}{index}"
        fields, taken = [], {"name"}
        for i in range(scalars):
            fields.append(self.field(taken, self.scalar()))
        for i, child in enumerate(children):
            type = Type("struct", child.name)
            if i == 0 and child.fields[0].name == "name":
                type = Type("list", of=type, maximum=16, merge="name")
            fields.append(self.field(taken, type))
        if children:
            fields.append(self.field(taken, Type("foreign", self.random.pick(FOREIGN))))
        else:
            # What list-maps use as their key.
            key = Type("string", minimum=1, maximum=63, pattern="^[a-z0-9]([-a-z0-9]*[a-z0-9])?$")
            fields.insert(0, Field("name", "The name, unique in its list.", key, optional=False))
        struct = Struct(name, self.doc(f"The {self.random.pick(NOUNS)}"), fields)
        self.rules(struct)
        self.structs.append(struct)
        return struct

    def field(self, taken, type):
        while (name := self.words()) in taken:
            pass
        taken.add(name)
        made = Field(name, self.doc(f"The {name.replace('_', ' ')}"), type)
        chance = self.random.chance
        if chance(6):
            made.feature = self.random.pick(FEATURES)
        elif type.form == "string" and chance(25):
            made.optional = False
            if chance(30):
                made.rule = Rule("self == oldSelf", "the value is immutable")
        elif type.form == "int" and chance(40):
            made.default = type.minimum + self.random.below(10)
        elif type.form == "enum" and chance(40):
            made.default = True
        return made

    def scalar(self):
        roll = self.random.below(100)
        if roll < 35:
            pattern = "^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$" if self.random.chance(50) else None
            return Type("string", minimum=1, maximum=self.random.pick([63, 128, 253, 1024]), pattern=pattern)
        if roll < 60:
            return Type("int", minimum=self.random.below(2), maximum=self.random.pick([100, 65535, 1000000]))
        if roll < 70:
            return Type("bool")
        if roll < 85:
            return Type("enum", self.random.pick(self.enums).name)
        if roll < 93:
            return Type("list", of=Type("string", minimum=1, maximum=253), maximum=16, merge=self.random.pick(["atomic", "set"]))
        return Type("map")

    def rules(self, struct):
        """A rule that reads stable fields, and one for a gated field if there is one."""
        optional = [f for f in struct.fields if f.optional and f.default is None]
        stable = [camel(f.name) for f in optional if not f.feature]
        if len(stable) >= 2 and self.random.chance(60):
            one, other = stable[0], stable[1]
            struct.rules.append(Rule(f"!has(self.{one}) || has(self.{other})", f"{one} needs {other}"))
        gated = [f for f in optional if f.feature]
        if gated and stable:
            one, other = camel(gated[0].name), stable[-1]
            struct.rules.append(Rule(f"!has(self.{one}) || has(self.{other})", f"{one} needs {other}", gated[0].feature))

    def spec(self, upper):
        taken = set()
        revision = Field("revision", "Revision 0 of this text.", Type("string", minimum=1, maximum=63))
        fields = [revision] + [self.field(taken, self.scalar()) for _ in range(3)]
        fields += [self.field(taken, Type("struct", struct.name)) for struct in upper]
        fields.append(self.field(taken, Type("foreign", "LabelSelector")))
        return Struct(f"{self.name}Spec", f"What is wanted of the {self.name}.", fields)

    def status(self, leaves):
        conditions = Type("list", of=Type("foreign", "Condition"), maximum=8, merge="type")
        members = Type("list", of=Type("struct", leaves[0].name), maximum=32, merge="name")
        fields = [
            Field("conditions", "The conditions, of which Accepted is always there.", conditions),
            Field("members", self.doc("The list of members"), members),
        ]
        return Struct(f"{self.name}Status", f"What is known of the {self.name}.", fields)
