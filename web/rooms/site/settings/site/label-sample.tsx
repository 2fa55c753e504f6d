import { COLOURS } from '../../../../base/theme/tokens.ts'
import { inkOf } from '../../../map/map/door.tsx'
import type { Style } from './label-styles.ts'

const NUMBER = { regular: 400, medium: 500, bold: 600 } as const
const AROUND = Array.from({ length: 16 }, (_, i) => (i * Math.PI) / 8)

/** A halo as the map draws it: the text again in every direction around itself. */
const haloOf = (colour: string, px: number): string =>
  [px, px / 2].flatMap(far => AROUND.map(at => `${Math.cos(at) * far}px ${Math.sin(at) * far}px ${colour}`)).join(', ')

/** A label as the map draws it by day and at night. Not for screen readers: the settings next to it say the same. */
export function LabelSample({ style, text }: { style: Omit<Style, 'key' | 'name' | 'sort'>; text: string }) {
  return (
    <div className="label-samples" aria-hidden>
      {(['light', 'dark'] as const).map(theme => {
        const ink = inkOf(style, theme)
        return (
          <p key={theme} className="label-sample" style={{ background: COLOURS[theme].ground }}>
            <bdi
              style={{
                color: ink.text,
                textShadow: ink.halo_px > 0 ? haloOf(ink.halo, ink.halo_px) : 'none',
                background: style.background ?? 'transparent',
                border: `2px solid ${style.border_colour ?? 'transparent'}`,
                padding: style.padding_px,
                fontSize: style.size_px,
                fontWeight: NUMBER[style.weight],
                fontStyle: style.italic ? 'italic' : 'normal',
                textTransform: style.uppercase ? 'uppercase' : 'none',
              }}
            >
              {text}
            </bdi>
          </p>
        )
      })}
    </div>
  )
}
