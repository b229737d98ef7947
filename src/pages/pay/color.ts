// The merchant's color on the page. It may be any; what is read on it or in it keeps the contrast of WCAG 2.2 AA.

export type Rgb = readonly [number, number, number];

const hex = /^#?([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i;

export function rgbFrom(text: string): Rgb | undefined {
  const [, red, green, blue] = hex.exec(text) ?? [];
  if (red === undefined || green === undefined || blue === undefined) return undefined;
  return [Number.parseInt(red, 16), Number.parseInt(green, 16), Number.parseInt(blue, 16)];
}

function textOf(color: Rgb): string {
  return `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

function luminance(color: Rgb): number {
  const [red, green, blue] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** From 1 to 21. */
export function contrast(left: Rgb, right: Rgb): number {
  const [lower, higher] = [luminance(left), luminance(right)].sort((one, other) => one - other) as [number, number];
  return (higher + 0.05) / (lower + 0.05);
}

const black: Rgb = [0, 0, 0];
const white: Rgb = [255, 255, 255];
/** WCAG asks for 4.5; a little more, for rounding and for the softer grounds. */
const enough = 4.7;

function mix(color: Rgb, other: Rgb, share: number): Rgb {
  const part = (index: 0 | 1 | 2) => Math.round(color[index] + (other[index] - color[index]) * share);
  return [part(0), part(1), part(2)];
}

/** The color itself if it can be read on the ground; otherwise as much darker or lighter as that takes. */
function readableOn(color: Rgb, ground: Rgb, towards: Rgb): Rgb {
  for (let share = 0; share < 1; share += 0.05) {
    const shade = mix(color, towards, share);
    if (contrast(shade, ground) >= enough) return shade;
  }
  return towards;
}

function onTop(color: Rgb): Rgb {
  return contrast(color, white) >= contrast(color, black) ? white : black;
}

interface Look {
  /** The hardest of the page's grounds. */
  readonly ground: Rgb;
  readonly sheet: Rgb;
  readonly ink: Rgb;
}

const light: Look = { ground: [242, 245, 244], sheet: white, ink: black };
const dark: Look = { ground: [26, 38, 34], sheet: [22, 32, 29], ink: white };

function variables(color: Rgb, { ground, sheet, ink }: Look): Record<string, Rgb> {
  const accent = readableOn(color, ground, ink);
  const onButton = onTop(color);
  return {
    accent,
    'accent-strong': mix(accent, ink, 0.25),
    'on-accent': onTop(accent),
    'accent-soft': mix(sheet, accent, 0.1),
    button: color,
    // Away from the text on it, so that this becomes easier to read.
    'button-strong': mix(color, onButton === white ? black : white, 0.2),
    'on-button': onButton,
  };
}

/** The style of a page in this color: it replaces the variables of pay.css. */
export function colorStyle(color: Rgb): string {
  const rules = (look: Look) =>
    Object.entries(variables(color, look))
      .map(([name, value]) => `--${name}:${textOf(value)}`)
      .join(';');
  return `:root{${rules(light)}}@media(prefers-color-scheme:dark){:root{${rules(dark)}}}\n`;
}
