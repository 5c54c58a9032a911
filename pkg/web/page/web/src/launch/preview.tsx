import { Rosette } from '../ui/rosette';
import type { Body } from './body';
import { draft } from './draft';
import { doubts, shares, summary } from './words';

/** The future token, as other visitors will see the token, and in sentences. */
export function Preview(props: { body: Partial<Body> }) {
  const { fields, picture } = draft.value;
  const said = summary(fields, props.body);
  const { burn, creator, holders } = shares(props.body);
  const bar = [
    ['burn', 'burned', burn],
    ['creator', 'you', creator],
    ['holders', 'holders', holders],
  ] as const;
  return (
    <aside class="card preview" aria-label="Preview">
      <div class="who">
        {picture ? (
          <img src={picture.data} alt="" width={72} height={72} />
        ) : (
          <Rosette class="no-picture" seed={fields.symbol.trim()} letters={fields.symbol.trim()} />
        )}
        <p>
          <strong>{fields.name.trim() || 'Your token'}</strong>
          <br />
          <span class="faint">{fields.symbol.trim() || 'SYMBOL'}</span>
        </p>
      </div>
      {props.body.transferFeePercent && burn + creator + holders === 10_000 ? (
        <>
          <p class="bar-title">Where the {props.body.transferFeePercent}% tax goes</p>
          <div class="bar" aria-hidden="true">
            {bar.map(([kind, , part]) =>
              part ? <span key={kind} class={kind} style={{ flexGrow: part }} /> : null,
            )}
          </div>
          <ul class="key">
            {bar.map(([kind, name, part]) =>
              part ? (
                <li key={kind} class={kind}>
                  {part / 100}% {name}
                </li>
              ) : null,
            )}
          </ul>
        </>
      ) : null}
      <h3>What holders get</h3>
      <ul class="said">
        {said.holders.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      <h3>What can change later</h3>
      <ul class="said">
        {said.later.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {doubts(props.body).map((sentence) => (
        <p class="doubt" key={sentence}>
          {sentence}
        </p>
      ))}
    </aside>
  );
}
