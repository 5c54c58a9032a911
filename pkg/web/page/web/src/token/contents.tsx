import type { Schemas } from 'tokenlaunch/api';

/** Links to the many parts of the page. */
export function Contents(props: { token: Schemas['Token'] }) {
  const { token } = props;
  const confirmed = token.status === 'confirmed';
  const parts = [
    [
      'figures',
      'In figures',
      Boolean(token.figures && (token.figures.paid.length > 0 || token.figures.holders)),
    ],
    ['facts', 'What can change', true],
    ['tax', 'Tax', true],
    ['changes', 'Changes', confirmed],
    ['curve', 'Curve', confirmed && token.launchpad !== null],
    ['next', 'Next', confirmed],
    ['runs', 'Distributions', confirmed],
    ['burns', 'Burned', confirmed],
    ['holder', 'What did I get?', confirmed],
  ] as const;
  return (
    <nav class="contents" aria-label="On this page">
      {parts
        .filter(([, , there]) => there)
        .map(([id, name]) => (
          <a href={`#${id}`} key={id}>
            {name}
          </a>
        ))}
    </nav>
  );
}
