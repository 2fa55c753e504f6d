import type { Map as MapLibre } from 'maplibre-gl'
import { useMemo, useState } from 'react'
import { Button } from '../../../../base/kit/button.tsx'
import { Tick } from '../../../../base/kit/field.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { FaultNote, Note, toast } from '../../../../base/kit/note.tsx'
import { Menu } from '../../../../base/kit/window.tsx'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { useAreas } from '../areas/data.ts'
import { showClashes, useShowsClashes } from '../clashes/prefs.ts'
import { useBoundary, useFrameAt, useOnMap } from '../data.ts'
import { exportMap, removeLayer, type SurveyLayer, showLayer, useSurveyFeatures, useSurveyLayers } from '../layers-data.ts'
import { GroupChoice } from '../members.tsx'
import { usePlansAt } from '../plans/plans-data.ts'
import { t, tOf } from '../says.ts'
import { useTokens } from '../tokens-data.ts'
import { LayerForm, type Uploaded } from './layer-form.tsx'
import { useShown, useSurveys } from './survey-ground.ts'

const NONE: readonly SurveyLayer[] = []

/** The layers of the map: clashes, and surveys; which of them this device shows, and what managers do with surveys. */
export function LayerPanel({ map, at }: { map: MapLibre | null; at: string | null }) {
  const here = useHere()
  const { data: layers = NONE, error } = useSurveyLayers(here.site_id)
  // What a person shows or hides here is for this device; what is shown at first is the same for everyone.
  const [own, setOwn] = useState<ReadonlyMap<string, boolean>>(new Map())
  const [form, setForm] = useState<{ layer: SurveyLayer | null } | null>(null)
  const [asked, setAsked] = useState<SurveyLayer | null>(null)
  const [doubts, setDoubts] = useState<Uploaded | null>(null)
  const sending = useSend()
  const manages = here.canChange('layer_manage')
  const isShown = (layer: SurveyLayer) => own.get(layer.id) ?? layer.visible
  const on = layers.filter(isShown)
  const { box, simplify_m } = useShown(map)
  const loaded = useSurveyFeatures(on, box, simplify_m)
  const key = on.map((layer, i) => `${layer.id} ${layer.version} ${loaded[i]?.dataUpdatedAt}`).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key changes with everything that is drawn.
  const drawn = useMemo(() => on.map((layer, i) => ({ layer, features: loaded[i]?.data })), [key])
  useSurveys(map, drawn)
  const more = on.some((layer, i) => layer.feature_count > 1000 && loaded[i]?.data?.features.length === 1000)
  // A service that isn't drawn must never look like one that isn't there.
  const missing = on.filter((_, i) => loaded[i]?.isError === true && loaded[i]?.data === undefined)
  const loading = on.filter((_, i) => loaded[i]?.isLoading === true)
  const namesOf = (some: readonly SurveyLayer[]) => some.map(({ name }) => name).join(', ')
  const clashes = useShowsClashes()
  const sees = here.can('clash_view')
  const { ground } = useBoundary(here.site_id)
  /** Shows where an uploaded layer is, unless a part of it is in sight already. Without a boundary the map can show half a country, in which nobody finds it. */
  const uploaded = (made: Uploaded) => {
    setDoubts(made)
    const [west, south, east, north] = made.bounds ?? []
    if (map === null || west === undefined || south === undefined || east === undefined || north === undefined) return
    const shown = map.getBounds()
    const apart = west > shown.getEast() || east < shown.getWest() || south > shown.getNorth() || north < shown.getSouth()
    if (ground === null || apart) map.fitBounds([west, south, east, north], { padding: 48, maxZoom: 19, animate: false })
  }
  return (
    <section className="stack tight" aria-label={t('layer.title')}>
      <header className="row spread">
        <h2>{t('layer.title')}</h2>
        {manages && <Button onClick={() => setForm({ layer: null })}>{t('layer.upload')}</Button>}
      </header>
      <GroupChoice site_id={here.site_id} />
      {sees && (
        <Tick
          checked={clashes}
          onChange={event => showClashes(event.target.checked)}
          label={t('clash.layer')}
          hint={t('clash.layer_hint')}
        />
      )}
      {error !== null && <FaultNote error={error} />}
      {sending.fault !== null && <FaultNote error={sending.fault} />}
      {layers.length === 0 && manages && <p className="soft small">{t('layer.none')}</p>}
      {doubts !== null && doubts.warnings.length > 0 && (
        <Note kind="warn" title={t('layer.check', { name: doubts.name })}>
          {doubts.warnings.map(warning => (
            <p key={warning}>{warning}</p>
          ))}
          <Button onClick={() => setDoubts(null)}>{t('layer.checked')}</Button>
        </Note>
      )}
      <ul className="plain">
        {layers.map(layer => (
          <li key={layer.id} className="row spread layer-row">
            <Tick
              checked={isShown(layer)}
              onChange={event => setOwn(new Map(own).set(layer.id, event.target.checked))}
              label={
                <>
                  <span className="swatch" style={{ background: layer.style.stroke }} aria-hidden /> <bdi>{layer.name}</bdi>
                </>
              }
              hint={saidOf(layer)}
            />
            {manages && (
              <Menu label={t('layer.more', { name: layer.name })} face={<Glyph name="more" size={16} />}>
                <button type="button" className="item" onClick={() => setForm({ layer })}>
                  {t('layer.replace')}
                </button>
                <button type="button" className="item" onClick={() => void sending.send(() => showLayer(layer, !layer.visible))}>
                  {t(layer.visible ? 'layer.hide_all' : 'layer.show_all')}
                </button>
                <button type="button" className="item" onClick={() => setAsked(layer)}>
                  {t('layer.remove')}
                </button>
              </Menu>
            )}
          </li>
        ))}
      </ul>
      {asked !== null && (
        <Note kind="warn" title={t('layer.remove_sure', { name: asked.name })}>
          {asked.role === 'utilities' && <p>{t('layer.remove_services')}</p>}
          <span className="row">
            <Button
              look="danger"
              disabled={sending.busy}
              onClick={() =>
                void sending.send(async () => {
                  await removeLayer(asked)
                  toast(t('layer.removed', { name: asked.name }))
                  setAsked(null)
                })
              }
            >
              {t('layer.remove')}
            </Button>
            <Button onClick={() => setAsked(null)}>{t('common.cancel')}</Button>
          </span>
        </Note>
      )}
      {loading.length > 0 && (
        <p className="soft small" role="status">
          {t('layer.loading', { names: namesOf(loading) })}
        </p>
      )}
      {missing.length > 0 && (
        <Note kind="warn" title={t('layer.missing', { names: namesOf(missing) })}>
          <Button onClick={() => void Promise.all(loaded.map(one => (one.isError ? one.refetch() : null)))}>{t('layer.again')}</Button>
        </Note>
      )}
      {more && <Note>{t('layer.zoom')}</Note>}
      {here.can('map_export') && <ExportButton at={at} />}
      {form !== null && <LayerForm site_id={here.site_id} layer={form.layer} onDone={uploaded} onClose={() => setForm(null)} />}
    </section>
  )
}

/** What a layer is, in a line. */
function saidOf({ role, utility, quality_level, feature_count, accuracy_m }: SurveyLayer): string {
  return [
    utility === null ? tOf('layer_role', role) : tOf('utility', utility),
    ...(quality_level === null ? [] : [tOf('quality_level', quality_level)]),
    t('layer.count', { n: feature_count }),
    ...(accuracy_m === null ? [] : [t('layer.accuracy', { n: accuracy_m })]),
  ].join(' · ')
}

/** Saves the map as a file, and says beforehand how much is in it. */
function ExportButton({ at }: { at: string | null }) {
  const here = useHere()
  const sending = useSend()
  const { frame } = useFrameAt(here.site_id, at)
  const { points, words } = useOnMap(here.site_id, at)
  const { areas } = useAreas(here.site_id, at)
  const plans = usePlansAt(here.site_id, at)
  const { tokens } = useTokens(here.site_id, at)
  const boundary = useBoundary(here.site_id)
  const n =
    frame.size +
    [points, words, tokens, areas, plans.data ?? []].reduce((sum, { length }) => sum + length, 0) +
    (boundary.ground === null ? 0 : 1)
  return (
    <>
      {sending.fault !== null && <FaultNote error={sending.fault} />}
      <p className="row spread">
        <span className="soft small">{t('layer.export_count', { n })}</span>
        <Button disabled={sending.busy} onClick={() => void sending.send(() => exportMap(here.site_id, here.name, at))}>
          {t('layer.export')}
        </Button>
      </p>
    </>
  )
}
