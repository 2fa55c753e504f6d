import './label-sample.css'
import { useLayoutEffect, useRef, useState } from 'react'
import type { Theme } from '../../../../base/theme/themes.ts'
import { COLOURS } from '../../../../base/theme/tokens.ts'
import { LINE_EM } from '../labels.ts'
import { inkOf, type LabelStyles, ownInk } from '../looks.ts'

const NUMBER = { regular: 400, medium: 500, bold: 600 } as const
const AROUND = Array.from({ length: 16 }, (_, i) => (i * Math.PI) / 8)
/** The free space around turned words, in pixels. */
const MARGIN_PX = 24

/** A halo as the map draws it: the text again in every direction around itself. */
const haloOf = (colour: string, px: number): string =>
  [px, px / 2].flatMap(far => AROUND.map(at => `${Math.cos(at) * far}px ${Math.sin(at) * far}px ${colour}`)).join(', ')

type Style = Omit<NonNullable<LabelStyles>['styles'][number], 'key' | 'name' | 'sort'>
type Given = {
  style: Style
  text: string
  /** The label's own colour; null: that of the style. */
  colour?: string | null
  /** Degrees clockwise. */
  turn?: number
}

/** A label as the map draws it by day and at night. Not for screen readers: the settings next to it say the same. */
export default function LabelSample(given: Given) {
  return (
    <div className="label-samples" aria-hidden>
      <Sample {...given} theme="light" />
      <Sample {...given} theme="dark" />
    </div>
  )
}

function Sample({ style, text, colour = null, turn = 0, theme }: Given & { theme: Theme }) {
  const ground = useRef<HTMLParagraphElement>(null)
  const words = useRef<HTMLElement>(null)
  const [room, setRoom] = useState<{ height: number; scale: number } | null>(null)
  const plain = inkOf(style, theme)
  const ink = colour === null ? plain : ownInk(colour, plain.halo_px, theme)
  // Turned words have another height, and are drawn smaller if they would be wider than the sample.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text or style has another size.
  useLayoutEffect(() => {
    if (ground.current === null || words.current === null || turn === 0) return setRoom(null)
    const { offsetWidth: w, offsetHeight: h } = words.current
    const [sin, cos] = [Math.abs(Math.sin((turn * Math.PI) / 180)), Math.abs(Math.cos((turn * Math.PI) / 180))]
    const scale = Math.min(1, (ground.current.clientWidth - MARGIN_PX) / (w * cos + h * sin))
    setRoom({ height: (w * sin + h * cos) * scale + MARGIN_PX, scale })
  }, [turn, text, style])
  return (
    <p
      ref={ground}
      className="label-sample"
      data-turned={room !== null || undefined}
      style={{ background: COLOURS[theme].ground, height: room?.height }}
    >
      <bdi
        ref={words}
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
          maxWidth: `${LINE_EM}em`,
          ...(room !== null && { transform: `rotate(${turn}deg) scale(${room.scale})` }),
        }}
      >
        {text}
      </bdi>
    </p>
  )
}
