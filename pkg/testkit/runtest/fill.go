package runtest

import (
	"fmt"
	"reflect"
	"time"
)

// Fill sets every field under a pointer to a distinct value that depends on seed, so that a test
// sees which fields a store preserves, including fields that are added later. Lists have two
// entries, maps one entry.
func Fill(into any, seed uint64) {
	f := filler{seed: seed << 32}
	f.fill(reflect.ValueOf(into).Elem())
}

type filler struct{ seed uint64 }

func (f *filler) next() uint64 {
	f.seed++
	return f.seed
}

func (f *filler) fill(v reflect.Value) {
	if v.Type() == reflect.TypeFor[time.Time]() {
		v.Set(reflect.ValueOf(time.Unix(1_700_000_000, 0).UTC().Add(time.Duration(f.next()%1e15) * time.Microsecond)))
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			f.fill(v.Field(i))
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			f.fill(v.Index(i))
		}
	case reflect.Array:
		for i := range v.Len() {
			f.fill(v.Index(i))
		}
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		f.fill(key)
		f.fill(value)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.String:
		v.SetString(fmt.Sprint("text ", f.next()))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(-int64(f.next() % (1 << (v.Type().Bits() - 1)))) //nolint:gosec // bounded by the type
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32:
		v.SetUint(f.next() % (1 << v.Type().Bits()))
	case reflect.Uint64:
		v.SetUint(^f.next())
	default:
		panic(fmt.Sprint("no value for a ", v.Type()))
	}
}
