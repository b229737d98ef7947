import qrcode from 'qrcode-generator';

/** A QR code, black on white in both themes: many readers need that. */
export function Qr({
  text,
  label,
  size = 192,
}: {
  readonly text: string;
  readonly label: string;
  readonly size?: number;
}) {
  const code = qrcode(0, 'M');
  code.addData(text);
  code.make();
  const count = code.getModuleCount();
  const cells = Array.from({ length: count * count }, (_, at) => [Math.floor(at / count), at % count] as const);
  const path = cells
    .filter(([row, column]) => code.isDark(row, column))
    .map(([row, column]) => `M${column} ${row}h1v1h-1z`);
  return (
    <svg viewBox={`-4 -4 ${count + 8} ${count + 8}`} width={size} height={size} role="img" aria-label={label}>
      <rect x={-4} y={-4} width={count + 8} height={count + 8} fill="#fff" />
      <path d={path.join('')} fill="#000" />
    </svg>
  );
}
