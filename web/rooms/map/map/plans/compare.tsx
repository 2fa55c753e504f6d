// Two versions of the plan of a level over each other: a slider shows more of one and less of the other.
import { useEffect, useId, useRef, useState } from 'react'
import { Button } from '../../../../base/kit/button.tsx'
import { Note, Wait } from '../../../../base/kit/note.tsx'
import { useHere } from '../../../../base/site.tsx'
import { stampOf } from '../../../../base/time.ts'
import { type FloorPlan, usePicture } from './plans-data.ts'
import { t } from './says.ts'

/** Returns whether a version has a picture that can be compared. */
export const isReadable = ({ status }: FloorPlan): boolean => status === 'ready' || status === 'needs_placement'

/** Returns whether the pictures of two versions lie on each other, so that what differs is what was changed. */
export function liesOn(a: FloorPlan, b: FloorPlan): boolean {
  const sizes = a.width_px === b.width_px && a.height_px === b.height_px
  if (a.placement === null || b.placement === null) return sizes
  const [one, other] = [a.placement, b.placement]
  const same = (x: number | undefined, y: number | undefined) => Math.abs((x ?? 0) - (y ?? 0)) <= 1e-6 * Math.max(1, Math.abs(x ?? 0))
  return (
    sizes &&
    same(one.origin.lon, other.origin.lon) &&
    same(one.origin.lat, other.origin.lat) &&
    one.matrix.every((row, i) => row.every((value, k) => same(value, other.matrix[i]?.[k])))
  )
}

/** A sheet on white paper: drawings have none of their own. */
function Sheet({ picture, from }: { picture: ImageBitmap; from: number }) {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const own = canvas.current?.getContext('2d')
    if (own == null) return
    own.canvas.width = picture.width
    own.canvas.height = picture.height
    own.fillStyle = '#ffffff'
    own.fillRect(0, 0, picture.width, picture.height)
    own.drawImage(picture, 0, 0)
  }, [picture])
  return <canvas ref={canvas} aria-hidden style={{ clipPath: `inset(0 0 0 ${from}%)` }} />
}

type Given = { before: FloorPlan; after: FloorPlan; onClose(): void }

/** The version before on the left of a line that the slider moves, and the one after it on the right. */
export function Compare({ before, after, onClose }: Given) {
  const { zone } = useHere()
  const [line, setLine] = useState(50)
  const [older, newer] = [usePicture(`/floor-plans/${before.id}/image`), usePicture(`/floor-plans/${after.id}/image`)]
  const id = useId()
  const named = ({ name, revision, start_at }: FloorPlan) =>
    [name, ...(revision === null ? [] : [t('plans.revision', { revision })]), stampOf(start_at, zone)].join(' · ')
  const waits = older.data === undefined ? older : newer
  return (
    <section className="stack tight" aria-label={t('plans.compare')}>
      {!liesOn(before, after) && <Note kind="warn">{t('plans.compare_moved')}</Note>}
      {older.data === undefined || newer.data === undefined ? (
        <Wait query={waits} rows={1} height={240} />
      ) : (
        <div className="plan-compare">
          <Sheet picture={older.data} from={0} />
          <Sheet picture={newer.data} from={line} />
          <span className="plan-line" style={{ insetInlineStart: `${line}%` }} aria-hidden />
        </div>
      )}
      <label className="small" htmlFor={id}>
        {t('plans.compare_slider')}
      </label>
      <span className="plan-opacity">
        <input
          id={id}
          type="range"
          className="wide"
          min={0}
          max={100}
          value={line}
          aria-valuetext={t('plans.compare_part', { n: line })}
          onChange={event => setLine(Number(event.target.value))}
        />
      </span>
      <p className="small">{t('plans.compare_left', { name: named(before) })}</p>
      <p className="small">{t('plans.compare_right', { name: named(after) })}</p>
      <span className="row">
        <Button onClick={onClose}>{t('common.close')}</Button>
      </span>
    </section>
  )
}
