import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { colorStyle, contrast, type Rgb, rgbFrom } from './color.ts';

/** The variables of one scheme. */
function read(rules: string): Record<string, Rgb> {
  const pairs = [...rules.matchAll(/--([a-z-]+):(#[0-9a-f]{6})/g)];
  return Object.fromEntries(pairs.map(([, name, value]) => [name, rgbFrom(value ?? '') as Rgb]));
}

const grounds = [
  ['#ffffff', '#f2f5f4', '#f8faf9'],
  ['#0d1412', '#16201d', '#1a2622'],
] as const;

suite('the merchant’s color', () => {
  // Guarantee: whatever color a merchant chooses, links and buttons can be read in light and dark mode (WCAG AA).
  test('contrast for colors all over the range', () => {
    const steps = ['00', '33', '66', '99', 'cc', 'ff'];
    for (const red of steps)
      for (const green of steps)
        for (const blue of steps) {
          const color = `#${red}${green}${blue}`;
          const schemes = colorStyle(rgbFrom(color) as Rgb).split('@media');
          for (const [index, rules] of schemes.entries()) {
            const { accent, button, ...others } = read(rules) as Record<string, Rgb> & { accent: Rgb; button: Rgb };
            assert.deepEqual(button, rgbFrom(color), 'the button has exactly this color');
            const check = (one: Rgb | undefined, other: Rgb | undefined, least: number, what: string) =>
              assert.ok(one && other && contrast(one, other) >= least, `${color} ${index} ${what}`);
            check(button, others['on-button'], 4.5, 'button');
            check(others['button-strong'], others['on-button'], 4.5, 'button under the pointer');
            check(accent, others['on-accent'], 4.5, 'on the accent');
            check(accent, others['accent-soft'], 3, 'symbol');
            for (const ground of grounds[index as 0 | 1]) {
              check(accent, rgbFrom(ground), 4.5, `link on ${ground}`);
              check(others['accent-strong'], rgbFrom(ground), 4.5, `link under the pointer on ${ground}`);
            }
          }
        }
  });

  for (const text of ['', '#fff', 'red', '#12345g', '#1234567', '#000000;}']) {
    test(`not a color: '${text}'`, () => assert.equal(rgbFrom(text), undefined));
  }
});
