import { useMemo } from 'react'
import { boxOf } from '../model.ts'
import type { Pick } from '../parts/picked.ts'
import { StillMap, useSiteScene } from '../parts/still-map.tsx'
import { withLines } from '../scene.ts'
import type { Between } from './clashes.ts'

const NOTHING: readonly never[] = []

type Given = {
  lines: readonly Between[]
  label: string
  /** The selected line, by its key. */
  chosen?: string | null
  /** Called when a person selects a line, or the ground without one. */
  onChoose?(key: string | null): void
}

/** The layers with the lines, and the signs at them. */
const LINES: readonly Pick['layer'][] = ['clash-signs', 'clashes-casing']

/** Shows lines between the two sides of clashes, within the buildings and zones of the site. */
export default function ClashInset({ lines, label, chosen = null, onChoose }: Given) {
  const site = useSiteScene()
  const scene = useMemo(() => (site === null ? null : withLines(site.scene, lines, chosen)), [site, lines, chosen])
  const around = useMemo(
    () =>
      boxOf(
        NOTHING,
        lines.flatMap(({ from, to }) => [from, to]),
      ),
    [lines],
  )
  const picking =
    onChoose === undefined
      ? {}
      : { onPick: (picked: readonly Pick[]) => onChoose(picked.find(({ layer }) => LINES.includes(layer))?.id ?? null) }
  if (lines.length === 0) return null
  return <StillMap scene={scene} around={around} label={label} {...picking} />
}
