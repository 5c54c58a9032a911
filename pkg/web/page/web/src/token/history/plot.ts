import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';

/** A small bar chart over the distributions' times. */
export interface Plot {
  /** Moves the cursor to a distribution by index. */
  point(index: number): void;
  destroy(): void;
}

/** The canvas does not support light-dark(), so the browser resolves the colour for an element. */
function resolved(name: string, host: HTMLElement): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  host.append(probe);
  const value = getComputedStyle(probe).color;
  probe.remove();
  return value;
}

/** Draws a bar chart into an element. `moved` receives the pointer's position. */
export function plot(
  host: HTMLElement,
  size: { readonly width: number; readonly height: number },
  names: readonly string[],
  y: readonly number[],
  fill: string,
  moved: (index: number | null) => void,
): Plot {
  const ink = resolved('--faint', host);
  const line = resolved('--line', host);
  const bar = resolved(fill, host);
  const style = getComputedStyle(document.documentElement);
  const font = `12px ${style.fontFamily}`;
  const axis = { stroke: ink, font, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
  let gone = false;
  const chart = new uPlot(
    {
      ...size,
      legend: { show: false },
      padding: [8, 12, 0, 0],
      cursor: { drag: { x: false, y: false }, y: false, points: { show: false } },
      scales: {
        // Indexes instead of times: bars are side by side, whatever the time between the distributions.
        x: { time: false, range: () => [-0.6, Math.max(names.length, 6) - 0.4] },
        y: { range: (_, __, max) => [0, max > 0 ? max * 1.1 : 1] },
      },
      axes: [
        {
          ...axis,
          grid: { show: false },
          space: 84,
          incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000],
          values: (_, ticks) => ticks.map((place) => names[place] ?? ''),
        },
        { ...axis, size: 56, space: 36, values: (_, ticks) => ticks.map(tick) },
      ],
      series: [
        {},
        {
          stroke: bar,
          fill: bar,
          width: 0,
          paths: uPlot.paths.bars?.({ size: [0.72, 56], radius: 0.18 }) ?? null,
          points: { show: false },
        },
      ],
      hooks: { setCursor: [(u) => moved(u.cursor.idx ?? null)] },
    } as uPlot.Options,
    [names.map((_, place) => place), y as number[]],
    host,
  );
  return {
    // The chart knows its scale only after the first drawing.
    point: (index) => {
      requestAnimationFrame(() => {
        if (!gone) chart.setCursor({ left: chart.valToPos(index, 'x'), top: 1 }, false);
      });
    },
    destroy: () => {
      gone = true;
      chart.destroy();
    },
  };
}

/** Returns a short label of the vertical axis: 1,200,000 is 1.2M. */
export function tick(value: number): string {
  for (const [size, name] of [
    [1e12, 'T'],
    [1e9, 'B'],
    [1e6, 'M'],
    [1e3, 'k'],
  ] as const)
    if (value >= size) return `${Number((value / size).toPrecision(3))}${name}`;
  return String(Number(value.toPrecision(3)));
}
