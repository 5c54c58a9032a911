/** Side of the drawing in its own units. */
const SIDE = 400;
/** Maximum number of letters in the middle. */
const MOST = 5;
/** Number of rosette colours in base.css. */
const INKS = 6;

/**
 * Returns a generator of numbers from 0 to 1, derived from a text (mulberry32). The same text
 * always has the same numbers.
 */
function numbers(text: string): () => number {
  let state = 2_166_136_261;
  for (const c of text) state = Math.imul(state ^ (c.codePointAt(0) ?? 0), 16_777_619);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns a closed curve around the middle, with waves. */
function wave(radius: number, waves: number, depth: number): string {
  const steps = waves * 12;
  const points = Array.from({ length: steps }, (_, i) => {
    const turn = (2 * Math.PI * i) / steps;
    const r = radius * (1 + depth * Math.cos(waves * turn));
    return `${Math.round(SIDE / 2 + r * Math.sin(turn))} ${Math.round(SIDE / 2 - r * Math.cos(turn))}`;
  });
  return `M${points.join('L')}Z`;
}

/** Returns the rings of a seed's rosette, from the outside in: a curve, and the turns at which the curve is drawn. */
export function rings(seed: string): { ink: number; rings: readonly { d: string; turns: number[] }[] } {
  const next = numbers(seed);
  const pick = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  const ink = pick(0, INKS - 1);
  return {
    ink,
    rings: [176, 128, 84].map((radius) => {
      const waves = pick(5, 12);
      const count = pick(3, 5);
      return {
        d: wave(radius, waves, 0.07 + next() * 0.16),
        turns: Array.from({ length: count }, (_, i) => (360 / waves / count) * i),
      };
    }),
  };
}

/**
 * Engraved lines like on a banknote, derived from an address, so that each token without a picture
 * has an individual drawing, with its letters in the middle.
 */
export function Rosette(props: { seed: string; letters?: string; class?: string }) {
  const { seed, letters } = props;
  const drawn = rings(seed);
  const shown = [...(letters ?? '')].slice(0, MOST);
  const size = Math.min(62, 190 / Math.max(1, shown.length));
  return (
    <svg
      class={`rosette ink-${drawn.ink} ${props.class ?? ''}`}
      viewBox={`0 0 ${SIDE} ${SIDE}`}
      aria-hidden="true"
    >
      <rect class="ground" width={SIDE} height={SIDE} />
      {drawn.rings.map(({ d, turns }) =>
        turns.map((turn) => (
          <path key={`${d.length} ${turn}`} d={d} transform={`rotate(${turn.toFixed(2)} 200 200)`} />
        )),
      )}
      {letters ? (
        <>
          <circle class="ground" cx="200" cy="200" r="74" />
          <text x="200" y="203" font-size={size} text-anchor="middle" dominant-baseline="central">
            {shown.join('')}
          </text>
        </>
      ) : null}
    </svg>
  );
}
