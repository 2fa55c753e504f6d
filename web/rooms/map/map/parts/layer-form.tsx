import { useState } from 'react'
import { Choice, TextField } from '../../../../base/kit/field.tsx'
import { Note, toast } from '../../../../base/kit/note.tsx'
import { RecordForm } from '../../../../base/records/form.tsx'
import { type Said, type SurveyLayer, uploadLayer } from '../layers-data.ts'
import { useLastGrid } from '../plans/last-grid.ts'
import { t, tOf } from '../says.ts'
import { EpsgField } from './epsg-field.tsx'
import { baseOf, FileEntry } from './file-entry.tsx'

const ROLES = ['utilities', 'constraint', 'topography', 'overlay'] as const
const UTILITIES = ['water', 'gas', 'electric_hv', 'electric_lv', 'telecoms', 'foul', 'surface_water', 'heat', 'fuel', 'unknown'] as const
const QUALITY = ['QL-D', 'QL-C', 'QL-B', 'QL-A'] as const
const GRIDS = ['EPSG:4326', 'EPSG:27700', 'EPSG:3857'] as const

const crsOf = (code: string): string => (code === '' ? '' : `EPSG:${code}`)
const codeIn = (crs: string): string => crs.replace(/^EPSG:/, '')

/** The choice of a grid that isn't one of these: a person types its code. */
const OTHER = 'other'

/** A layer that was uploaded, where it is, and what the service says about it. */
export type Uploaded = Pick<SurveyLayer, 'name' | 'bounds'> & { warnings: readonly string[] }

type Given = { site_id: string; layer: SurveyLayer | null; onDone(uploaded: Uploaded): void; onClose(): void }

/** Uploads a layer, or with `layer` a new file of one. */
export function LayerForm({ site_id, layer, onDone, onClose }: Given) {
  const last = useLastGrid(site_id)
  const [other, setOther] = useState(false)
  const [file, setFile] = useState<File | null>(null)
  const [missing, setMissing] = useState(false)
  const start: Said = {
    name: layer?.name ?? '',
    role: layer?.role ?? 'utilities',
    utility: layer?.utility ?? 'unknown',
    quality_level: layer?.quality_level ?? 'QL-D',
    crs: '',
    source: layer?.source ?? '',
  }
  return (
    <RecordForm
      side
      title={layer === null ? t('layer.upload') : <bdi>{layer.name}</bdi>}
      name={`layer ${site_id} ${layer?.id ?? 'new'}`}
      body="NewGeodataLayer"
      start={start}
      button={t('layer.send')}
      said={null}
      save={async said => {
        setMissing(file === null)
        if (file === null) throw new Error(t('layer.no_file'))
        const made = await uploadLayer(site_id, file, said, layer?.id ?? null)
        toast(t('layer.uploaded', { name: made.name, n: made.accepted ?? made.feature_count }))
        onDone({ name: made.name, bounds: made.bounds, warnings: (made.warnings ?? []).map(({ detail }) => detail) })
        onClose()
      }}
      onClose={onClose}
    >
      {({ field, values, change }) => (
        <>
          <FileEntry
            label={t('layer.file')}
            hint={t('layer.file_hint')}
            fault={missing && file === null ? t('layer.no_file') : undefined}
            accept=".geojson,.json,.geojsonl,.geojsons,.ndjson,.jsonl,.kml,.kmz,.gpx,.zip"
            onFile={chosen => {
              setFile(chosen)
              if (chosen !== null && values.name === '') change({ name: baseOf(chosen) })
            }}
          />
          <TextField label={t('layer.name')} {...field('name')} required />
          {layer === null && (
            <Choice
              label={t('layer.role')}
              at="role"
              value={values.role}
              options={ROLES.map(role => ({ value: role, label: tOf('layer_role', role) }))}
              onChange={event => change({ role: event.target.value })}
            />
          )}
          {values.role === 'utilities' && (
            <>
              <Choice
                label={t('layer.utility')}
                at="utility"
                value={values.utility}
                options={UTILITIES.map(one => ({ value: one, label: tOf('utility', one) }))}
                onChange={event => change({ utility: event.target.value })}
              />
              <Choice
                label={t('layer.quality')}
                at="quality_level"
                value={values.quality_level}
                options={QUALITY.map(one => ({ value: one, label: tOf('quality_level', one) }))}
                onChange={event => change({ quality_level: event.target.value })}
              />
            </>
          )}
          <TextField label={t('layer.source')} {...field('source')} />
          <Choice
            label={t('layer.grid')}
            hint={t('layer.grid_hint')}
            at={other ? undefined : 'crs'}
            empty={t('layer.grid_file')}
            value={other ? OTHER : values.crs}
            options={[...GRIDS.map(one => ({ value: one, label: tOf('grid', one) })), { value: OTHER, label: t('layer.grid_other') }]}
            onChange={event => {
              const { value } = event.target
              setOther(value === OTHER)
              change({ crs: value === OTHER ? crsOf(String(last ?? '')) : value })
            }}
          />
          {other && (
            <EpsgField
              at="crs"
              code={codeIn(values.crs)}
              proposed={codeIn(values.crs) !== '' && codeIn(values.crs) === String(last)}
              hint={t('layer.grid_code_hint')}
              onType={code => change({ crs: crsOf(code) })}
            />
          )}
          {layer !== null && <Note>{t('layer.replaces')}</Note>}
        </>
      )}
    </RecordForm>
  )
}
