// Cuts holes and notches out of an area, a zone or an active area, and undoes them in any order.
import type { Map as MapLibre } from 'maplibre-gl'
import { useEffect, useRef, useState } from 'react'
import { boundsOf } from '../../../../../shared/geometry/plane.ts'
import { asFault } from '../../../../base/fault.ts'
import { Button } from '../../../../base/kit/button.tsx'
import { Choice, NumberField, Tick } from '../../../../base/kit/field.tsx'
import { Form } from '../../../../base/kit/form.tsx'
import { FaultNote, Note, Skeleton, toast } from '../../../../base/kit/note.tsx'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { momentOf } from '../../../../base/time.ts'
import { sayUndone } from '../drawing.ts'
import { type Frame, type Ground, groundIn } from '../model.ts'
import { useUnsaved } from '../parts/begun.tsx'
import type { Scene } from '../scene.ts'
import type { Token } from '../tokens.ts'
import { arealOf } from './areal.ts'
import type { Area } from './areas.ts'
import { OutlineFields } from './corners.tsx'
import { type CutTarget, cutsIn, cuttersFor } from './cuts.ts'
import { cutOut, reapplyCut, undoCut, useCuts } from './cuts-data.ts'
import { t } from './says.ts'
import { useOutline } from './use-outline.ts'

type Given = {
  map: MapLibre | null
  target: CutTarget
  frame: Frame
  areas: readonly Area[]
  tokens: readonly Token[]
  scene: Scene
  onDone(): void
}

/** The cuts that were made so far, each with its undo. */
function CutList({ target }: { target: CutTarget }) {
  const { site_id, zone } = useHere()
  const { steps, pending, error, refetch } = useCuts(target)
  const { busy, fault, send } = useSend()
  if (error !== null) return <FaultNote error={error} onRetry={refetch} />
  if (steps === undefined || pending === undefined) return <Skeleton rows={1} />
  const rows = cutsIn(steps, pending)
  if (rows.length === 0) return <p className="small soft">{t('cut.none')}</p>
  return (
    <>
      <h3>{t('cut.list')}</h3>
      <ul className="stack tight">
        {rows.map(row => (
          <li key={row.id} className="row spread">
            <span className="grow">
              {t(row.applied ? 'cut.applied' : 'cut.undone', { m: Math.round(row.taken_m2) })}
              <span className="soft small"> · {t('cut.by', { who: row.by ?? t('cut.nobody'), when: momentOf(row.at, zone) })}</span>
              {row.reason !== null && row.reason !== 'undone' && <span className="small"> {t(`cut.pending.${row.reason}`)}</span>}
            </span>
            {row.applied && (
              <Button aria-busy={busy} onClick={() => void send(() => undoCut(site_id, row.id))}>
                {t('draw.undo')}
                <span className="unseen"> {t('cut.one', { when: momentOf(row.at, zone) })}</span>
              </Button>
            )}
            {(!row.applied || row.reason === 'cutter_changed') && (
              <Button aria-busy={busy} onClick={() => void send(() => reapplyCut(site_id, row.id))}>
                {t('cut.reapply')}
                <span className="unseen"> {t('cut.one', { when: momentOf(row.at, zone) })}</span>
              </Button>
            )}
          </li>
        ))}
      </ul>
      {fault !== null && <FaultNote error={fault} />}
    </>
  )
}

/** Draws or chooses what is cut out, and lists what was cut out before. */
export function CutPanel({ map, target, frame, areas, tokens, scene, onDone }: Given) {
  const { site_id } = useHere()
  const [cutter, setCutter] = useState('')
  const [ground, setGround] = useState<Ground | null>(null)
  const [buffer, setBuffer] = useState('0')
  const [future, setFuture] = useState(false)
  const draws = cutter === ''
  const report = useUnsaved()
  const outline = useOutline({ map: draws ? map : null, ground, onGround: setGround, scene, without: null })
  const { busy, fault, send } = useSend()
  const refusal = asFault(fault)
  const splits = fault !== null && refusal.context.reason === 'would_split'
  const ready = !draws || ground !== null
  // The version may have changed by a cut before.
  const now = [...areas, ...frame.values()].find(one => one.id === target.id)
  const shape = useRef(now)
  // What is cut fills the map: at a scale that shows the site, a finger is wider than the cut.
  useEffect(() => {
    const around = groundIn(shape.current?.geometry)
    if (map !== null && around !== null) map.fitBounds([...boundsOf(arealOf(around))], { padding: 48, maxZoom: 21, animate: false })
  }, [map])
  const cut = async (allow_split: boolean) => {
    const cutting = draws ? (ground === null ? null : { polygon: ground }) : { cutter_id: cutter }
    if (cutting === null) return
    const done = await send(async () => {
      const { cut: made } = await cutOut(cutting, {
        ...{ site_id, allow_split, future, buffer_m: Number(buffer) || 0 },
        target: { ...target, version: now?.version ?? target.version },
      })
      toast(t('cut.made', { m: Math.round(made.area_before_m2 - made.area_after_m2), name: target.name }), {
        undo: { label: t('draw.undo'), run: () => void sayUndone(undoCut(site_id, made.id)) },
      })
    })
    if (!done) return
    outline.put(null)
    report(false)
  }
  const title = t('cut.title', { name: target.name })
  return (
    <Form className="panel stack" data-unsaved aria-label={title} error={fault} onSubmit={() => void cut(false)}>
      <h2>{title}</h2>
      <p className="small">{t('cut.says')}</p>
      <Choice
        label={t('cut.what')}
        empty={t('fill.draw')}
        value={cutter}
        options={cuttersFor(target, frame, areas, tokens).map(({ id, name }) => ({ value: id, label: name }))}
        onChange={event => setCutter(event.target.value)}
      />
      {draws && <OutlineFields before={null} ground={ground} outline={outline} />}
      <NumberField
        label={t('cut.buffer')}
        hint={t('cut.buffer_hint')}
        min={-5}
        max={50}
        value={buffer}
        at="buffer_m"
        onChange={event => setBuffer(event.target.value)}
      />
      {target.repeats && <Tick label={t('cut.future')} checked={future} onChange={event => setFuture(event.target.checked)} />}
      {splits && (
        <Note kind="warn" title={refusal.message}>
          <Button disabled={busy} onClick={() => void cut(true)}>
            {t('cut.split')}
          </Button>
        </Note>
      )}
      {fault !== null && !splits && <FaultNote error={fault} />}
      <div className="row">
        <Button type="submit" look="primary" disabled={!ready} aria-busy={busy}>
          {t('cut.make')}
        </Button>
        <Button onClick={onDone}>{t('common.close')}</Button>
      </div>
      <CutList target={target} />
    </Form>
  )
}
