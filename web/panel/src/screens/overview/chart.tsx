// A small chart: bars or a stepped area, and a dashed line to compare with. Drawn by hand, because a library for charts
// weighs more than all other code of the first screen. The numbers are also shown as a table.

import { useElementSize } from '@mantine/hooks';
import { type PointerEvent, useState } from 'react';

export interface ChartPoint {
  readonly name: string;
  readonly value: number;
  readonly other?: number | undefined;
}

interface ChartProps {
  readonly points: readonly ChartPoint[];
  readonly kind: 'bars' | 'steps';
  readonly label: string;
  /** The name of the dashed line; without it there is none. */
  readonly otherLabel?: string | undefined;
  /** At the axis. */
  readonly short: (value: number) => string;
  /** At the pointer. */
  readonly exact: (value: number) => string;
}

const height = 240;
const top = 12;
const bottom = 28;
const left = 56;
const right = 12;
const lines = 4;
const labelWidth = 64;
const widestBar = 28;

/** A round number for the distance of the grid's lines. */
function stepOf(span: number): number {
  const rough = span / lines;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 2.5, 5, 10].find((one) => one * power >= rough) ?? 10;
  return factor * power;
}

/** The values of the grid's lines, from at most 0 to at least the largest value. */
function gridOf(values: readonly number[]): number[] {
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
  const step = stepOf(most - least || 1);
  const first = Math.floor(least / step);
  const count = Math.ceil(most / step) - first;
  return Array.from({ length: Math.max(1, count) + 1 }, (_, index) => (first + index) * step);
}

/** Where values and points are drawn. */
interface Scale {
  readonly grid: readonly number[];
  /** The width of a point's place. */
  readonly slot: number;
  readonly width: number;
  readonly x: (index: number) => number;
  readonly y: (value: number) => number;
}

function scaleOf({ points, otherLabel }: ChartProps, width: number): Scale {
  const others = otherLabel === undefined ? [] : points.flatMap(({ other }) => (other === undefined ? [] : [other]));
  const grid = gridOf([...points.map(({ value }) => value), ...others]);
  const [low, high] = [grid[0] ?? 0, grid.at(-1) ?? 1];
  const slot = Math.max(0, width - left - right) / Math.max(1, points.length);
  return {
    grid,
    slot,
    width,
    x: (index) => left + (index + 0.5) * slot,
    y: (value) => top + (1 - (value - low) / (high - low)) * (height - top - bottom),
  };
}

export function Chart(props: ChartProps) {
  const { points, kind, otherLabel, short } = props;
  const { ref, width } = useElementSize();
  const [at, setAt] = useState<number>();
  const scale = scaleOf(props, width);
  const { x, y, slot } = scale;
  const onMove = ({ clientX, currentTarget }: PointerEvent<SVGSVGElement>) => {
    const index = Math.floor((clientX - currentTarget.getBoundingClientRect().left - left) / slot);
    setAt(index >= 0 && index < points.length ? index : undefined);
  };
  const dashed = points.flatMap(({ other }, index) => (other === undefined ? [] : [`${x(index)},${y(other)}`]));
  return (
    <div ref={ref} className="chart">
      <Legend chart={props} shown={at === undefined ? undefined : points[at]} />
      <svg
        width="100%"
        height={height}
        aria-hidden="true"
        onPointerMove={onMove}
        onPointerLeave={() => setAt(undefined)}
      >
        <Grid scale={scale} short={short} />
        {kind === 'steps' ? <Steps points={points} scale={scale} /> : <Bars points={points} scale={scale} at={at} />}
        {otherLabel === undefined ? null : <polyline className="chart-other" points={dashed.join(' ')} />}
        {at === undefined ? null : <line className="chart-at" x1={x(at)} x2={x(at)} y1={top} y2={height - bottom} />}
        <Names points={points} scale={scale} />
      </svg>
    </div>
  );
}

/** What the colors mean, or the point under the pointer. */
function Legend({ chart, shown }: { readonly chart: ChartProps; readonly shown: ChartPoint | undefined }) {
  const { label, otherLabel, exact } = chart;
  return (
    <p className="chart-legend">
      {shown ? (
        <>
          <strong>{shown.name}</strong> {label}: {exact(shown.value)}
          {otherLabel !== undefined && shown.other !== undefined ? ` · ${otherLabel}: ${exact(shown.other)}` : null}
        </>
      ) : (
        <>
          <span className="chart-key" /> {label}
          {otherLabel === undefined ? null : (
            <>
              {' '}
              <span className="chart-key chart-key-other" /> {otherLabel}
            </>
          )}
        </>
      )}
    </p>
  );
}

function Grid({ scale: { grid, width, y }, short }: { readonly scale: Scale } & Pick<ChartProps, 'short'>) {
  return grid.map((value) => (
    <g key={value}>
      <line className="chart-grid" x1={left} x2={Math.max(left, width - right)} y1={y(value)} y2={y(value)} />
      <text className="chart-text" x={left - 8} y={y(value) + 4} textAnchor="end">
        {short(value)}
      </text>
    </g>
  ));
}

interface PartProps {
  readonly points: readonly ChartPoint[];
  readonly scale: Scale;
}

function Steps({ points, scale: { grid, slot, x, y } }: PartProps) {
  const steps = points.map(({ value }, index) => `H${x(index) - slot / 2}V${y(value)}`).join('');
  const outline = `M${left},${y(points[0]?.value ?? 0)}${steps}H${left + slot * points.length}`;
  return (
    <>
      <path className="chart-area" d={`${outline}V${y(Math.max(0, grid[0] ?? 0))}H${left}Z`} />
      <path className="chart-line" d={outline} />
    </>
  );
}

function Bars({ points, scale: { slot, x, y }, at }: PartProps & { readonly at: number | undefined }) {
  const width = Math.min(slot * 0.7, widestBar);
  return points.map(({ name, value }, index) => (
    <rect
      key={name}
      className={index === at ? 'chart-bar chart-bar-at' : 'chart-bar'}
      x={x(index) - width / 2}
      width={width}
      y={y(Math.max(0, value))}
      height={Math.abs(y(value) - y(0))}
      rx={2}
    />
  ));
}

/** Below the axis, as many as fit. */
function Names({ points, scale: { slot, width, x } }: PartProps) {
  const every = Math.max(1, Math.ceil(labelWidth / Math.max(1, slot)));
  return points.map(({ name }, index) =>
    index % every === 0 && x(index) + labelWidth / 2 < width ? (
      <text key={name} className="chart-text" x={x(index)} y={height - 8} textAnchor="middle">
        {name}
      </text>
    ) : null,
  );
}
