package main

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

const (
	host = `[a-zA-Z0-9]([-a-zA-Z0-9]*[a-zA-Z0-9])?`
	word = `[a-z0-9]+(([.]|__?|-+)[a-z0-9]+)*`
)

var (
	isImage      = regexp.MustCompile(`^(` + host + `([.]` + host + `)*(:[0-9]+)?/)?` + word + `(/` + word + `)*(:[a-zA-Z0-9_][-a-zA-Z0-9_.]{0,127})?(@sha256:[a-f0-9]{64})?$`)
	isPinned     = regexp.MustCompile(`(:[^/:@]+|@[^/@]+)$`)
	afterPg      = regexp.MustCompile(`^[^@]+:([^/:@]*[-_.])?(pg|postgres|postgresql)-?(15|16|17|18)([^0-9/:@][^/:@]*)?(@[^/@]+)?$`)
	atBeginning  = regexp.MustCompile(`^[^@]+:(15|16|17|18)([^0-9/:@][^/:@]*)?(@[^/@]+)?$`)
	isMoving     = regexp.MustCompile(`:((pg)?[0-9]+(-(alpine|slim|bullseye|bookworm|trixie))?|alpine|slim|bullseye|bookworm|trixie|stable|edge|main|master|develop|dev|nightly|beta)$`)
	isIdentifier = regexp.MustCompile(`^[a-z_][a-z0-9_]*$`)
	isKey        = regexp.MustCompile(`^[-._a-zA-Z0-9]+$`)
	isFraction   = regexp.MustCompile(`[mun]$`)
	versions     = []string{"15", "16", "17", "18"}
	most         = resource.MustParse("8Ei")
	reserved     = map[string][]string{"name": {"postgres", "template0", "template1"}, "owner": {"postgres", "public", "none", "sampledb"}}
	words        = strings.Fields(`all analyse analyze and any array as asc asymmetric authorization binary both case cast check collate
		collation column concurrently constraint create cross current_catalog current_date current_role current_schema current_time
		current_timestamp current_user default deferrable desc distinct do else end except false fetch for foreign freeze from full grant
		group having ilike in initially inner intersect into is isnull join lateral leading left like limit localtime localtimestamp natural
		not notnull null offset on only or order outer overlaps placing primary references returning right select session_user similar some
		symmetric system_user table tablesample then to trailing true union unique user using variadic verbose when where window with`)
)

type catalog struct {
	standard string
	images   map[string]string
}

// offered is read once, at the start.
var offered = readCatalog()

// readCatalog looks into the folder where a ConfigMap is mounted.
func readCatalog() catalog {
	folder := os.Getenv("CATALOG_DIR")
	entries, err := os.ReadDir(folder)
	if err != nil {
		return catalog{"17", map[string]string{"15": "postgres:15", "16": "postgres:16", "17": "postgres:17", "18": "postgres:18"}}
	}
	found := catalog{images: map[string]string{}}
	for _, entry := range entries {
		content, err := os.ReadFile(folder + "/" + entry.Name())
		switch {
		case err != nil:
		case entry.Name() == "default":
			found.standard = strings.TrimSpace(string(content))
		default:
			found.images[entry.Name()] = strings.TrimSpace(string(content))
		}
	}
	return found
}

type rules struct {
	it     *SampleDB
	faults field.ErrorList
}

func (r *rules) refuse(path *field.Path, value any, message string, args ...any) {
	r.faults = append(r.faults, field.Invalid(path, value, fmt.Sprintf(message, args...)))
}

func (r *rules) require(isRight bool, path *field.Path, value any, message string, args ...any) {
	if !isRight {
		r.refuse(path, value, message, args...)
	}
}

var specPath = field.NewPath("spec")

func (r *rules) name() {
	path, name := field.NewPath("metadata", "name"), r.it.Name
	if name == "" {
		path, name = field.NewPath("metadata", "generateName"), r.it.GenerateName+"xxxxx"
	}
	r.require(len(name) <= 40, path, name, "must be at most 40 characters long")
	r.require(len(validation.IsDNS1035Label(name)) == 0, path, name, "must consist of a-z, 0-9 and -, begin with a letter and not end with -")
	for _, suffix := range []string{"-headless", "-superuser"} {
		r.require(!strings.HasSuffix(name, suffix), path, name, "must not end with %s", suffix)
	}
}

func (r *rules) version() {
	path, version := specPath.Child("version"), r.it.Spec.Version
	r.require(slices.Contains(versions, version), path, version, "must be one of %s", strings.Join(versions, ", "))
	_, isOffered := offered.images[version]
	r.require(r.it.Spec.Image != "" || isOffered, path, version, "the catalog does not offer it")
}

func (r *rules) image() {
	path, image := specPath.Child("image"), r.it.Spec.Image
	if image == "" {
		return
	}
	r.require(isImage.MatchString(image), path, image, "must be an image reference")
	r.require(isPinned.MatchString(image) && !strings.HasSuffix(image, ":latest"), path, image, "must name a tag other than latest, or a digest")
	major := ""
	if match := afterPg.FindStringSubmatch(image); match != nil {
		major = match[3]
	} else if match := atBeginning.FindStringSubmatch(image); match != nil {
		major = match[1]
	}
	r.require(major == "" || major == r.it.Spec.Version, path, image, "the tag names PostgreSQL %s", major)
}

func (r *rules) amount(path *field.Path, value intstr.IntOrString, isBytes bool, least string) {
	quantity, err := resource.ParseQuantity(value.String())
	if err != nil {
		r.refuse(path, value.String(), "must be a quantity")
		return
	}
	r.require(quantity.Sign() > 0 && quantity.Cmp(most) < 0, path, value.String(), "must be above 0 and below 8Ei")
	r.require(!isBytes || !isFraction.MatchString(value.String()), path, value.String(), "is in fractions of a byte")
	r.require(least == "" || quantity.Cmp(resource.MustParse(least)) >= 0, path, value.String(), "must be at least %s", least)
}

func (r *rules) storage() {
	path, it := specPath.Child("storage"), r.it.Spec.Storage
	if it.Size != nil {
		r.amount(path.Child("size"), *it.Size, true, "256Mi")
	}
	if name := it.StorageClassName; name != nil {
		r.require(len(validation.IsDNS1123Subdomain(*name)) == 0, path.Child("storageClassName"), *name, "must be the name of a StorageClass")
	}
}

func (r *rules) database() {
	for which, value := range map[string]*string{"name": r.it.Spec.Database.Name, "owner": r.it.Spec.Database.Owner} {
		if value == nil {
			continue
		}
		path := specPath.Child("database", which)
		r.require(len(*value) <= 63 && isIdentifier.MatchString(*value), path, *value, "must consist of a-z, 0-9 and _ and not begin with a digit")
		r.require(!strings.HasPrefix(*value, "pg_") && !slices.Contains(reserved[which], *value), path, *value, "is PostgreSQL's or the operator's own")
	}
}

func (r *rules) init() {
	seen := map[string]bool{}
	for index, each := range r.it.Spec.Init {
		path := specPath.Child("init").Index(index)
		r.require((each.ConfigMapKeyRef == nil) != (each.SecretKeyRef == nil), path, "", "set exactly one of configMapKeyRef and secretKeyRef")
		for kind, ref := range map[string]*keyRef{"configMapKeyRef": each.ConfigMapKeyRef, "secretKeyRef": each.SecretKeyRef} {
			if ref == nil {
				continue
			}
			r.require(len(validation.IsDNS1123Subdomain(ref.Name)) == 0, path.Child(kind, "name"), ref.Name, "must be a name")
			r.require(isKey.MatchString(ref.Key), path.Child(kind, "key"), ref.Key, "must be a key")
			r.require(ref.Name != r.it.Name && ref.Name != r.it.Name+"-superuser", path.Child(kind, "name"), ref.Name, "is this SampleDB's own")
			identity := kind + "/" + ref.Name + "/" + ref.Key
			r.require(!seen[identity], path, identity, "is the same script as one before")
			seen[identity] = true
		}
	}
}

func (r *rules) resources() {
	path, it := specPath.Child("resources"), r.it.Spec.Resources
	for kind, given := range map[string]amounts{"requests": it.Requests, "limits": it.Limits} {
		for name, value := range given {
			least := ""
			if kind == "limits" && name == "memory" {
				least = "128Mi"
			}
			at := path.Child(kind).Key(name)
			r.require(slices.Contains([]string{"cpu", "memory", "ephemeral-storage"}, name), at, value.String(), "only cpu, memory, ephemeral-storage can be set")
			r.amount(at, value, name != "cpu", least)
		}
	}
	for name, request := range it.Requests {
		limit, isLimited := it.Limits[name]
		r.require(!isLimited || !isMore(request, limit), path.Child("requests").Key(name), request.String(), "must not exceed its limit")
	}
}

func (r *rules) kept(before *SampleDB) {
	now, then := r.it.Spec, before.Spec
	r.require(then.Version == "" || now.Version == then.Version, specPath.Child("version"), now.Version, "cannot be changed after creation")
	for which, pair := range map[string][2]*string{"name": {now.Database.Name, then.Database.Name}, "owner": {now.Database.Owner, then.Database.Owner}} {
		after, earlier := orDefault(pair[0], ptr("app")), orDefault(pair[1], ptr("app"))
		r.require(*after == *earlier, specPath.Child("database", which), *after, "cannot be changed after creation")
	}
	after, earlier := orDefault(now.Storage.Size, text("1Gi")), orDefault(then.Storage.Size, text("1Gi"))
	r.require(!isMore(*earlier, *after), specPath.Child("storage", "size"), after.String(), "cannot be lowered")
	class, earlierClass := orDefault(now.Storage.StorageClassName, ptr("")), orDefault(then.Storage.StorageClassName, ptr(""))
	r.require(*class == *earlierClass, specPath.Child("storage", "storageClassName"), *class, "cannot be changed after creation")
}

func refusal(sampledb *SampleDB, before *SampleDB) error {
	r := &rules{it: sampledb}
	r.name()
	r.version()
	r.image()
	r.storage()
	r.database()
	r.init()
	r.resources()
	r.require(slices.Contains([]string{"", "Retain", "Wipe"}, sampledb.Spec.Deletion.Policy), specPath.Child("deletion", "policy"), sampledb.Spec.Deletion.Policy, "must be one of Retain, Wipe")
	if before != nil {
		r.kept(before)
	}
	if len(r.faults) == 0 {
		return nil
	}
	return errors.NewInvalid(schema.GroupKind{Group: "sampledb.dev", Kind: "SampleDB"}, sampledb.Name, r.faults)
}

func warnings(it spec, isNew bool) admission.Warnings {
	var found admission.Warnings
	warn := func(does bool, message string) {
		if does {
			found = append(found, message)
		}
	}
	warn(it.Deletion.Policy == "Wipe", "spec.deletion.policy: deletes the data for good together with this SampleDB")
	warn(!strings.Contains(it.Image, "@") && isMoving.MatchString(it.Image), "spec.image: this tag moves with every release")
	if memory, isSet := it.Resources.Limits["memory"]; isSet {
		warn(isMore(*text("256Mi"), memory), "spec.resources.limits.memory: 256Mi leaves room")
	}
	warn(isNew && it.Paused != nil && *it.Paused, "spec.paused: nothing is created until this is false")
	for _, name := range []*string{it.Database.Name, it.Database.Owner} {
		warn(isNew && name != nil && slices.Contains(words, *name), "spec.database: is a word of SQL")
	}
	return found
}

type validator struct{}

func judged(ctx context.Context, sampledb, before *SampleDB) (admission.Warnings, error) {
	if sampledb.DeletionTimestamp != nil {
		return nil, nil
	}
	request, err := admission.RequestFromContext(ctx)
	if err != nil {
		return nil, err
	}
	err = refusal(sampledb, before)
	ctrl.Log.Info("reviewed", "function", "validate", "key", request.Namespace+"/"+request.Name, "uid", request.UID, "allowed", err == nil)
	return warnings(sampledb.Spec, before == nil), err
}

// ValidateCreate is called by controller-runtime, as the next two are.
func (validator) ValidateCreate(ctx context.Context, object runtime.Object) (admission.Warnings, error) {
	return judged(ctx, object.(*SampleDB), nil)
}

func (validator) ValidateUpdate(ctx context.Context, before, object runtime.Object) (admission.Warnings, error) {
	return judged(ctx, object.(*SampleDB), before.(*SampleDB))
}

func (validator) ValidateDelete(context.Context, runtime.Object) (admission.Warnings, error) {
	return nil, nil
}
