// Every colour is a token named after its use. One scale of warm concrete greys, safety colours with the meaning of ISO 3864,
// one blueprint blue, and hi-vis orange for what is waiting for the person. A test calculates the contrast of each pair that is listed below.
import type { Theme } from './themes.ts'

type Colours = Record<(typeof NAMES)[number], string>

/** Names of the tokens; `…-ink` is for text on the colour of that name. */
export const NAMES = [
  'ground', // behind everything
  'card', // text
  'raised', // overlays: menus, dialogs
  'sunken', // fields, bars
  'ink', // text
  'soft', // secondary text
  'line', // between things
  'edge', // borders of controls: fields, buttons
  'brand', // blueprint blue: links, the primary action
  'brand-ink',
  'brand-tint', // selected
  'mine', // hi-vis orange: waiting for you
  'mine-ink',
  'mine-tint',
  'mine-text', // orange as text
  'safe', // safe to work now; used for nothing else
  'safe-ink',
  'safe-tint',
  'safe-text',
  'warn', // warning
  'warn-ink',
  'warn-tint',
  'warn-text',
  'stop', // stop, prohibited
  'stop-ink',
  'stop-tint',
  'stop-text',
  'act', // must act
  'act-ink',
  'act-tint',
  'act-text',
  'focus', // ring around the element with keyboard focus
] as const

const light: Colours = {
  ground: 'oklch(0.945 0.006 88)',
  card: 'oklch(0.992 0.002 88)',
  raised: 'oklch(1 0 0)',
  sunken: 'oklch(0.965 0.005 88)',
  ink: 'oklch(0.24 0.012 80)',
  soft: 'oklch(0.46 0.014 80)',
  line: 'oklch(0.875 0.008 85)',
  edge: 'oklch(0.6 0.012 80)',
  brand: 'oklch(0.4 0.095 256)',
  'brand-ink': 'oklch(0.99 0.003 88)',
  'brand-tint': 'oklch(0.925 0.025 256)',
  mine: 'oklch(0.72 0.185 52)',
  'mine-ink': 'oklch(0.2 0.03 52)',
  'mine-tint': 'oklch(0.945 0.04 70)',
  'mine-text': 'oklch(0.5 0.14 47)',
  safe: 'oklch(0.5 0.14 150)',
  'safe-ink': 'oklch(0.99 0.003 88)',
  'safe-tint': 'oklch(0.94 0.04 150)',
  'safe-text': 'oklch(0.44 0.12 150)',
  warn: 'oklch(0.85 0.17 92)',
  'warn-ink': 'oklch(0.22 0.03 90)',
  'warn-tint': 'oklch(0.955 0.05 95)',
  'warn-text': 'oklch(0.46 0.1 80)',
  stop: 'oklch(0.53 0.205 27)',
  'stop-ink': 'oklch(0.99 0.003 88)',
  'stop-tint': 'oklch(0.94 0.03 27)',
  'stop-text': 'oklch(0.48 0.185 27)',
  act: 'oklch(0.47 0.15 256)',
  'act-ink': 'oklch(0.99 0.003 88)',
  'act-tint': 'oklch(0.935 0.03 250)',
  'act-text': 'oklch(0.44 0.14 256)',
  focus: 'oklch(0.55 0.2 300)',
}

const dark: Colours = {
  ground: 'oklch(0.2 0.008 250)',
  card: 'oklch(0.245 0.009 250)',
  raised: 'oklch(0.285 0.01 250)',
  sunken: 'oklch(0.225 0.008 250)',
  ink: 'oklch(0.93 0.006 88)',
  soft: 'oklch(0.74 0.01 88)',
  line: 'oklch(0.35 0.01 250)',
  edge: 'oklch(0.58 0.012 250)',
  brand: 'oklch(0.76 0.09 252)',
  'brand-ink': 'oklch(0.2 0.03 252)',
  'brand-tint': 'oklch(0.33 0.045 252)',
  mine: 'oklch(0.76 0.165 55)',
  'mine-ink': 'oklch(0.2 0.03 52)',
  'mine-tint': 'oklch(0.31 0.045 55)',
  'mine-text': 'oklch(0.81 0.13 60)',
  safe: 'oklch(0.72 0.16 150)',
  'safe-ink': 'oklch(0.18 0.03 150)',
  'safe-tint': 'oklch(0.3 0.05 150)',
  'safe-text': 'oklch(0.79 0.14 150)',
  warn: 'oklch(0.85 0.16 92)',
  'warn-ink': 'oklch(0.22 0.03 90)',
  'warn-tint': 'oklch(0.33 0.05 92)',
  'warn-text': 'oklch(0.87 0.13 92)',
  stop: 'oklch(0.66 0.19 27)',
  'stop-ink': 'oklch(0.16 0.03 27)',
  'stop-tint': 'oklch(0.31 0.06 27)',
  'stop-text': 'oklch(0.77 0.13 27)',
  act: 'oklch(0.7 0.13 256)',
  'act-ink': 'oklch(0.17 0.03 256)',
  'act-tint': 'oklch(0.32 0.055 256)',
  'act-text': 'oklch(0.78 0.1 256)',
  focus: 'oklch(0.8 0.14 310)',
}

const outdoor: Colours = {
  ground: 'oklch(1 0 0)',
  card: 'oklch(1 0 0)',
  raised: 'oklch(1 0 0)',
  sunken: 'oklch(0.97 0 0)',
  ink: 'oklch(0.14 0 0)',
  soft: 'oklch(0.3 0 0)',
  line: 'oklch(0.35 0 0)',
  edge: 'oklch(0.14 0 0)',
  brand: 'oklch(0.3 0.11 258)',
  'brand-ink': 'oklch(1 0 0)',
  'brand-tint': 'oklch(0.93 0.03 256)',
  mine: 'oklch(0.76 0.18 55)',
  'mine-ink': 'oklch(0.12 0.02 52)',
  'mine-tint': 'oklch(0.95 0.05 70)',
  'mine-text': 'oklch(0.38 0.11 45)',
  safe: 'oklch(0.38 0.11 150)',
  'safe-ink': 'oklch(1 0 0)',
  'safe-tint': 'oklch(0.95 0.05 150)',
  'safe-text': 'oklch(0.35 0.1 150)',
  warn: 'oklch(0.87 0.18 95)',
  'warn-ink': 'oklch(0.14 0.02 90)',
  'warn-tint': 'oklch(0.96 0.07 95)',
  'warn-text': 'oklch(0.36 0.08 80)',
  stop: 'oklch(0.4 0.165 27)',
  'stop-ink': 'oklch(1 0 0)',
  'stop-tint': 'oklch(0.95 0.03 27)',
  'stop-text': 'oklch(0.38 0.155 27)',
  act: 'oklch(0.37 0.15 258)',
  'act-ink': 'oklch(1 0 0)',
  'act-tint': 'oklch(0.94 0.03 256)',
  'act-text': 'oklch(0.35 0.14 258)',
  focus: 'oklch(0.45 0.22 300)',
}

/** The colours of each theme. */
export const COLOURS: Record<Theme, Colours> = { light, dark, outdoor }

type Name = (typeof NAMES)[number]
const grounds: Name[] = ['ground', 'card', 'raised', 'sunken']

/** Colours that are used on each other, and the contrast they need: text 4.5 (outdoor 7), controls 3. */
export const PAIRS: readonly { over: Name; on: Name; kind: 'text' | 'part' }[] = [
  ...(['ink', 'soft'] as const).flatMap(over => grounds.map(on => ({ over, on, kind: 'text' as const }))),
  ...(['brand', 'mine-text', 'safe-text', 'warn-text', 'stop-text', 'act-text'] as const).flatMap(over =>
    (['ground', 'card', 'raised', 'sunken'] as const).map(on => ({ over, on, kind: 'text' as const })),
  ),
  ...(['brand', 'mine', 'safe', 'warn', 'stop', 'act'] as const).flatMap(hue => [
    { over: `${hue}-ink` as const, on: hue, kind: 'text' as const },
    { over: 'ink' as const, on: `${hue}-tint` as const, kind: 'text' as const },
  ]),
  ...(['mine', 'safe', 'warn', 'stop', 'act'] as const).map(hue => ({
    over: `${hue}-text` as const,
    on: `${hue}-tint` as const,
    kind: 'text' as const,
  })),
  { over: 'brand', on: 'brand-tint', kind: 'text' },
  ...(['edge', 'focus', 'safe', 'stop', 'act'] as const).flatMap(over => grounds.map(on => ({ over, on, kind: 'part' as const }))),
]

/** Returns the style sheet of the tokens: light by default, dark where the device asks for it, and any chosen theme over both. */
export function tokensCss(): string {
  const block = (theme: Theme) => NAMES.map(name => `  --${name}: ${COLOURS[theme][name]};`).join('\n')
  return [
    '/* Made by tools/gen from web/base/theme/tokens.ts. */',
    `:root {\n  color-scheme: light;\n${block('light')}\n}`,
    `@media screen and (prefers-color-scheme: dark) {\n:root:not([data-theme]) {\n  color-scheme: dark;\n${block('dark')}\n}\n}`,
    // Paper is white, whatever the theme of the screen.
    `@media screen {\n:root[data-theme='dark'] {\n  color-scheme: dark;\n${block('dark')}\n}\n:root[data-theme='outdoor'] {\n  color-scheme: light;\n${block('outdoor')}\n}\n}`,
    '',
  ].join('\n')
}
