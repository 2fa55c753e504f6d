// Coordinates of points as a surveyor writes them down: in a national grid. The service converts them to degrees.
import { type Dispatch, type SetStateAction, useState } from 'react'
import { Choices, NumberField } from '../../../../base/kit/field.tsx'
import { FaultNote } from '../../../../base/kit/note.tsx'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import type { Spot } from '../model.ts'
import { EpsgField } from '../parts/epsg-field.tsx'
import { useLastGrid } from './last-grid.ts'
import { numberIn, type Pair } from './pairs.ts'
import { type Converted, inDegrees } from './plans-data.ts'
import { t } from './says.ts'

/** What was typed of a point in a grid, and where that is. */
type Known = { east: string; north: string; spot: Spot }
/** How places on the ground are typed: in degrees, or in a grid. */
export type GridTyped = { on: boolean; code: string; known: ReadonlyMap<number, Known>; made: Converted | null }

/** Degrees, as long as nobody chooses a grid. */
export const IN_DEGREES: GridTyped = { on: false, code: '', known: new Map(), made: null }

/** Returns the code of the grid in which points were typed; null if none was. */
export const codeOf = ({ on, code, known }: GridTyped): number | null => (on && known.size > 0 ? numberIn(code) : null)

type ChoiceGiven = { grid: GridTyped; onGrid: Dispatch<SetStateAction<GridTyped>> }

/** Chooses how places on the ground are typed, and the grid. */
export function GridChoice({ grid, onGrid }: ChoiceGiven) {
  const { site_id } = useHere()
  const last = useLastGrid(site_id)
  const { made } = grid
  return (
    <>
      <Choices<'degrees' | 'grid'>
        label={t('convert.how')}
        value={grid.on ? 'grid' : 'degrees'}
        options={(['degrees', 'grid'] as const).map(value => ({ value, label: t(`convert.${value}`) }))}
        onChoose={value => onGrid({ ...grid, on: value === 'grid', code: grid.code === '' ? String(last ?? '') : grid.code })}
      />
      {grid.on && (
        <EpsgField
          code={grid.code}
          proposed={grid.code !== '' && numberIn(grid.code) === last}
          hint={t('convert.code_hint')}
          onType={code => onGrid({ ...grid, code, known: new Map(), made: null })}
        />
      )}
      {grid.on && made !== null && (
        <p className="soft small">
          {made.accuracy_m === null ? t('convert.from', { grid: made.grid }) : t('convert.off', { grid: made.grid, n: made.accuracy_m })}
        </p>
      )}
    </>
  )
}

type TypedGiven = ChoiceGiven & { pair: Pair; onSpot(spot: Spot): void }

/** The place of a point in the grid as text; it counts once the person leaves the field. Empty again after the point was moved in another way. */
export function TypedInGrid({ pair, grid, onGrid, onSpot }: TypedGiven) {
  const { site_id } = useHere()
  const { busy, fault, send } = useSend()
  const before = grid.known.get(pair.key)
  const there = before !== undefined && before.spot === pair.spot ? before : null
  const [text, setText] = useState({ east: there?.east ?? '', north: there?.north ?? '' })
  const epsg = numberIn(grid.code)
  const take = () => {
    const [east, north] = [numberIn(text.east), numberIn(text.north)]
    if (epsg === null || east === null || north === null || (there?.east === text.east && there.north === text.north)) return
    void send(async () => {
      const made = await inDegrees(site_id, epsg, { east, north })
      // Another point may have been converted in the meantime.
      onGrid(now => ({ ...now, made, known: new Map([...now.known, [pair.key, { ...text, spot: made.spot }]]) }))
      onSpot(made.spot)
    })
  }
  const field = (name: keyof typeof text) => ({
    value: text[name],
    disabled: epsg === null,
    onChange: (event: { target: { value: string } }) => setText({ ...text, [name]: event.target.value }),
    onBlur: take,
  })
  return (
    <>
      <NumberField label={t('convert.east')} {...field('east')} aria-busy={busy} />
      <NumberField label={t('convert.north')} {...field('north')} aria-busy={busy} />
      {epsg === null && <p className="soft small">{t('convert.code_first')}</p>}
      {fault !== null && <FaultNote error={fault} />}
    </>
  )
}
