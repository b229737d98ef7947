// The stylesheet of the bank's pages, served from its own URL so that the policy needs no inline styles.

import { hash } from 'node:crypto';

export const style = `:root {
  color-scheme: light dark;
  --ground: #eef2f7; --sheet: #ffffff; --ink: #17212f; --faint: #566274; --line: #d8dfe8;
  --brand: #17426e; --on-brand: #ffffff; --confirm: #14693c; --on-confirm: #ffffff; --refuse: #9d2222;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #11161d; --sheet: #1b232d; --ink: #e9eef5; --faint: #a5b2c3; --line: #344150;
    --brand: #0e2a48; --on-brand: #e9eef5; --confirm: #7fdba6; --on-confirm: #0c2416; --refuse: #ffaba3;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100dvh; display: flex; flex-direction: column;
  background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
}
header { background: var(--brand); color: var(--on-brand); }
/* Stripes, as on a building site: nobody takes this for a real bank. */
header::after {
  content: ""; display: block; height: 0.5rem;
  background: repeating-linear-gradient(135deg, #f2c230 0 0.75rem, #23272e 0.75rem 1.5rem);
}
.bank {
  display: flex; align-items: center; gap: 0.625rem;
  margin: 0 auto; padding: 1rem 1.25rem; max-width: 32rem; font-weight: 700; font-size: 1.125rem;
}
.bank svg { width: 1.75rem; height: 1.75rem; fill: none; stroke: currentcolor; stroke-width: 1.75; stroke-linecap: round; stroke-linejoin: round; }
main {
  width: calc(100% - 2rem); max-width: 32rem; margin: 2rem auto; padding: clamp(1.25rem, 5vw, 2rem);
  background: var(--sheet); border: 1px solid var(--line); border-radius: 1rem; box-shadow: 0 12px 32px -16px rgb(15 35 60 / 25%);
}
h1 { margin: 0 0 1rem; font-size: 1.375rem; line-height: 1.25; text-wrap: balance; }
dl { margin: 0 0 1.5rem; }
dl div { display: flex; gap: 1rem; justify-content: space-between; padding: 0.625rem 0; border-bottom: 1px solid var(--line); }
dt { color: var(--faint); }
dd { margin: 0; text-align: right; font-weight: 600; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
form p { margin: 0 0 0.75rem; }
.network { padding: 0.75rem 1rem; border: 1px solid var(--refuse); border-radius: 0.75rem; }
.network:empty { margin: 0; padding: 0; border: 0; }
button[aria-disabled="true"] { opacity: 0.6; cursor: progress; }
.choices { display: flex; flex-wrap: wrap; gap: 0.75rem; }
button, .back {
  flex: 1 1 10rem; min-height: 3.25rem; padding: 0.625rem 1.25rem; border: 2px solid; border-radius: 0.75rem;
  font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer;
}
.confirm { background: var(--confirm); border-color: var(--confirm); color: var(--on-confirm); }
.refuse { background: transparent; border-color: var(--refuse); color: var(--refuse); }
.back { display: inline-block; border-color: var(--faint); color: var(--ink); }
button:hover, .back:hover { filter: brightness(1.08); }
:focus-visible { outline: 3px solid var(--ink); outline-offset: 3px; }
footer { margin: auto 0 0; }
footer p { max-width: 32rem; margin: 0 auto; padding: 1rem 1.25rem 1.5rem; color: var(--faint); font-size: 0.875rem; text-align: center; }
`;

/** Changes with the content, so that browsers may cache the stylesheet forever. */
export const styleVersion = hash('sha256', style, 'hex').slice(0, 16);
