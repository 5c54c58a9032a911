import type { ComponentChildren } from 'preact';
import { type Kind, understood } from '../ui/entered';

/** The properties that all fields have. */
export interface Common {
  readonly name: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
  /** The error of the field, in words. */
  readonly error?: string | undefined;
  /** Called when the visitor leaves the field. From then on the field's error is shown. */
  readonly onLeave?: () => void;
}

interface TextProps extends Common {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly lines?: number;
  /** The keyboard on a phone. */
  readonly keys?: 'decimal' | 'url' | undefined;
  readonly type?: 'datetime-local';
  /** The kind of the number; the field shows the understood number below. */
  readonly reads?: Kind;
  /** Text behind the field. */
  readonly unit?: string;
  readonly placeholder?: string;
  readonly needed?: boolean;
  /** Whether the field is read-only. */
  readonly fixed?: boolean;
  /** Whether the field is marked as optional. */
  readonly optional?: boolean;
}

const about = (props: Common, echo = '') => {
  const ids = [
    props.hint ? `${props.name}-hint` : '',
    props.error || echo ? `${props.name}-error` : '',
  ].filter(Boolean);
  return {
    id: props.name,
    name: props.name,
    'aria-invalid': props.error ? (true as const) : undefined,
    'aria-describedby': ids.length ? ids.join(' ') : undefined,
    onBlur: () => props.onLeave?.(),
  };
};

/** The hint and the error of a field. */
export function Below(props: Common & { readonly echo?: string | undefined }) {
  return (
    <>
      {props.hint ? (
        <p class="hint" id={`${props.name}-hint`}>
          {props.hint}
        </p>
      ) : null}
      {/* One line for both, which is always there: a change is read out. */}
      <p
        class={props.error || props.echo === undefined ? 'error' : 'echo'}
        id={`${props.name}-error`}
        aria-live="polite"
      >
        {props.error || props.echo}
      </p>
    </>
  );
}

/** A single-line or multi-line text field. */
export function Text(props: TextProps) {
  const { reads } = props;
  const echo = reads && understood(props.value, reads);
  const unit = props.unit ?? reads?.unit;
  const input = {
    ...about(props, echo),
    value: props.value,
    placeholder: props.placeholder,
    required: props.needed,
    readOnly: props.fixed,
    autocomplete: 'off' as const,
    onInput: (e: { currentTarget: { value: string } }) => props.onValue(e.currentTarget.value),
  };
  return (
    <div class="field">
      <label for={props.name}>
        {props.label}
        {props.optional ? <span class="faint"> (optional)</span> : null}
      </label>
      {props.lines ? (
        <textarea {...input} rows={props.lines} />
      ) : (
        <span class={unit ? 'with-unit' : ''}>
          {props.type ? (
            <input {...input} type={props.type} />
          ) : (
            <input {...input} type="text" inputMode={reads ? 'decimal' : props.keys} />
          )}
          {unit ? <span class="unit">{unit}</span> : null}
        </span>
      )}
      <Below {...props} echo={echo} />
    </div>
  );
}

/** A choice of a value. */
export function Choice(
  props: Common & {
    readonly value: string;
    readonly onValue: (value: string) => void;
    readonly options: readonly (readonly [value: string, name: string])[];
  },
) {
  return (
    <div class="field">
      <label for={props.name}>{props.label}</label>
      <select {...about(props)} value={props.value} onChange={(e) => props.onValue(e.currentTarget.value)}>
        {props.options.map(([value, name]) => (
          <option value={value} key={value}>
            {name}
          </option>
        ))}
      </select>
      <Below {...props} />
    </div>
  );
}

/** A checkbox. */
export function Check(
  props: Common & { readonly value: boolean; readonly onValue: (value: boolean) => void },
) {
  return (
    <div class="field check">
      <input
        {...about(props)}
        type="checkbox"
        checked={props.value}
        onChange={(e) => props.onValue(e.currentTarget.checked)}
      />
      <label for={props.name}>{props.label}</label>
      <Below {...props} />
    </div>
  );
}
