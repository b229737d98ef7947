// Colors and sizes. One accent; every pair of colors used for text passes WCAG 2.2 AA in both themes.

import {
  type CSSVariablesResolver,
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  type VariantColorsResolver,
} from '@mantine/core';

const green: MantineColorsTuple = [
  '#e9f5f0',
  '#d2eadf',
  '#a5d9c3',
  '#6fd0a8',
  '#45b487',
  '#26936a',
  '#137d58',
  '#0b6b4b',
  '#08553b',
  '#053d2a',
];

/** Grays with a breath of green, light to dark. */
const gray: MantineColorsTuple = [
  '#f6f9f7',
  '#eef2f0',
  '#e1e8e4',
  '#d0d9d4',
  '#b3bfb9',
  '#8a9891',
  '#6b7a73',
  '#53625b',
  '#35423c',
  '#1b2621',
];

const dark: MantineColorsTuple = [
  '#e6eeea',
  '#c5d1cb',
  '#a3b1aa',
  '#7d8c85',
  '#3d4a44',
  '#2a3630',
  '#1d2723',
  '#161e1b',
  '#101714',
  '#0b110f',
];

const sans =
  'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", Arial, sans-serif';
const mono = 'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace';

/** The accent is dark in the light theme and light in the dark one, and so is the text on it. */
const variantColorResolver: VariantColorsResolver = (input) => {
  const colors = defaultVariantColorsResolver(input);
  const accent = input.color === undefined || input.color === 'green' || input.color === input.theme.primaryColor;
  return input.variant === 'filled' && accent ? { ...colors, color: 'var(--mantine-primary-color-contrast)' } : colors;
};

export const theme = createTheme({
  variantColorResolver,
  primaryColor: 'green',
  primaryShade: { light: 7, dark: 3 },
  autoContrast: true,
  colors: { green, gray, dark },
  black: '#14211d',
  fontFamily: sans,
  fontFamilyMonospace: mono,
  headings: {
    fontFamily: sans,
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.5rem', lineHeight: '1.25' },
      h2: { fontSize: '1.125rem', lineHeight: '1.35' },
      h3: { fontSize: '1rem', lineHeight: '1.4' },
    },
  },
  defaultRadius: 'sm',
  respectReducedMotion: true,
  cursorType: 'pointer',
  components: {
    // In place, so that a menu is inside the landmark of its button; without a hidden first stop in it.
    Menu: { defaultProps: { withinPortal: false, withInitialFocusPlaceholder: false } },
    Tooltip: { defaultProps: { withArrow: true } },
  },
});

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-body': '#ffffff',
    '--mantine-primary-color-contrast': '#ffffff',
    '--mantine-color-dimmed': '#54635b',
    '--mantine-color-error': '#a3231f',
    '--mantine-color-placeholder': '#66756e',
    '--mantine-color-anchor': '#0b6b4b',
    '--panel-ground': '#f6f9f7',
    '--panel-active': '#e4f2ec',
    '--panel-line': '#e1e8e4',
    '--panel-edge': '#8a9891',
    '--panel-good': '#0a5c40',
    '--panel-good-soft': '#e1f3ea',
    '--panel-bad': '#97201c',
    '--panel-bad-soft': '#fdeceb',
    '--panel-wait': '#704a00',
    '--panel-wait-soft': '#fff1d3',
    '--panel-info': '#1c4e8c',
    '--panel-info-soft': '#e6f0fb',
    '--panel-plain': '#44524b',
    '--panel-plain-soft': '#edf1ef',
  },
  dark: {
    '--mantine-color-body': '#161e1b',
    '--mantine-primary-color-contrast': '#05231a',
    '--mantine-color-dimmed': '#a3b1aa',
    '--mantine-color-error': '#ffa49d',
    '--mantine-color-placeholder': '#95a39c',
    '--mantine-color-anchor': '#6fd0a8',
    '--panel-ground': '#101714',
    '--panel-active': '#17352c',
    '--panel-line': '#2a3630',
    '--panel-edge': '#6d7d75',
    '--panel-good': '#86dcb8',
    '--panel-good-soft': '#14382b',
    '--panel-bad': '#ffb0aa',
    '--panel-bad-soft': '#401d1b',
    '--panel-wait': '#f3cd83',
    '--panel-wait-soft': '#3a2d10',
    '--panel-info': '#a9cdf7',
    '--panel-info-soft': '#182f4b',
    '--panel-plain': '#c5d1cb',
    '--panel-plain-soft': '#26302b',
  },
});
