import { useState } from 'react'
import { Choice, NumberField, TextField } from '../../../../base/kit/field.tsx'
import { FaultNote, Note, toast } from '../../../../base/kit/note.tsx'
import { RecordForm } from '../../../../base/records/form.tsx'
import { useSend } from '../../../../base/send.ts'
import type { Feature, Frame } from '../model.ts'
import { baseOf, FileEntry } from '../parts/file-entry.tsx'
import type { Floor } from '../scene.ts'
import { DrawingChoice, type DrawingChosen, suggestedIn } from './drawing-choice.tsx'
import { type Drawing, type FloorPlan, importDrawing, inspectDrawing, uploadPlan } from './plans-data.ts'
import { t } from './says.ts'
import { isPdf } from './site-map-form.tsx'

const KINDS = [
  ['building', 'plans.buildings'],
  ['zone', 'plans.zones'],
  ['area', 'plans.areas'],
] as const

type Given = { site_id: string; frame: Frame; of: FloorPlan | null; floor: Floor; onClose(): void }

const isDrawing = (file: File | null): boolean => file !== null && /\.(dxf|dwg)$/i.test(file.name)

/** Uploads a floor plan; with `of`, a new version of one. */
export function FloorPlanForm({ site_id, frame, of, floor, onClose }: Given) {
  const [file, setFile] = useState<File | null>(null)
  const [missing, setMissing] = useState<string | null>(null)
  const [drawing, setDrawing] = useState<Drawing | null>(null)
  const [chosen, setChosen] = useState<DrawingChosen>({ layers: [], units: '' })
  const inspecting = useSend()
  const take = (next: File | null) => {
    setFile(next)
    setDrawing(null)
    inspecting.clear()
    if (next !== null && isDrawing(next))
      void inspecting.send(async () => {
        const found = await inspectDrawing(site_id, next)
        setDrawing(found)
        setChosen(suggestedIn(found))
      })
  }
  const features = [...frame.values()].toSorted((a, b) => a.name.localeCompare(b.name))
  const first = of?.feature_id ?? floor?.building ?? (features.filter(one => one.kind === 'building')[0] ?? features[0])?.id ?? ''
  const start = {
    feature_id: first,
    level_index: String(of?.level_index ?? floor?.level ?? 0),
    name: of?.name ?? '',
    drawing_number: of?.drawing_number ?? '',
    revision: '',
    suitability: of?.suitability ?? '',
    page: '1',
  }
  const save = async ({ page, level_index, ...said }: typeof start) => {
    const level = hasLevels(frame.get(said.feature_id)) ? level_index : '0'
    const lack =
      file === null
        ? t('plans.no_file')
        : isDrawing(file) && drawing === null
          ? t('plans.inspect_first')
          : drawing !== null && chosen.layers.length === 0
            ? t('plans.no_layer')
            : null
    setMissing(lack)
    if (file === null || lack !== null) return
    const made =
      drawing === null
        ? await uploadPlan({ site_id, ...said, level_index: level, page: isPdf(file) ? page : '' }, file, isPdf(file))
        : await importDrawing({
            site_id,
            session_id: drawing.session_id,
            feature_id: said.feature_id,
            level_index: Number(level),
            name: said.name,
            ...(said.drawing_number === '' ? {} : { drawing_number: said.drawing_number }),
            ...(said.revision === '' ? {} : { revision: said.revision }),
            ...(said.suitability === '' ? {} : { suitability: said.suitability }),
            layers: [...chosen.layers],
            ...(chosen.units === '' ? {} : { units: Number(chosen.units) }),
          })
    toast(t(of === null ? 'plans.plan_sent' : 'plans.version_sent', { name: made.name }))
    onClose()
  }
  return (
    <RecordForm
      side
      title={of === null ? t('plans.add_plan') : t('plans.new_version')}
      name={`floor plan ${site_id} ${of?.id ?? 'new'}`}
      body="ImportDrawing"
      start={start}
      button={t('plans.send')}
      said={null}
      save={save}
      onClose={onClose}
    >
      {({ field, values, change }) => {
        const feature = frame.get(values.feature_id)
        return (
          <>
            <FileEntry
              label={t('plans.file')}
              hint={t('plans.plan_file_hint')}
              fault={missing ?? undefined}
              accept=".pdf,.dxf,.dwg,.png,.jpg,.jpeg,.webp,.tif,.tiff"
              onFile={next => {
                take(next)
                if (next !== null && values.name === '') change({ name: baseOf(next) })
              }}
            />
            {isPdf(file) && <NumberField label={t('plans.page')} {...field('page')} required min={1} step={1} />}
            {inspecting.busy && (
              <p className="soft small" role="status">
                {t('plans.inspecting')}
              </p>
            )}
            {inspecting.fault !== null && <FaultNote error={inspecting.fault} />}
            {drawing !== null && <DrawingChoice drawing={drawing} chosen={chosen} onChange={setChosen} />}
            {of === null ? (
              <>
                <Choice
                  label={t('plans.feature')}
                  {...field('feature_id')}
                  options={[]}
                  groups={KINDS.flatMap(([kind, label]) => {
                    const own = features.filter(one => one.kind === kind)
                    return own.length === 0 ? [] : [{ label: t(label), options: own.map(({ id, name }) => ({ value: id, label: name })) }]
                  })}
                  onChange={event => change({ feature_id: event.target.value, level_index: '0' })}
                />
                {feature !== undefined && hasLevels(feature) && (
                  <Choice
                    label={t('plans.level')}
                    value={values.level_index}
                    options={feature.levels.toReversed().map(one => ({ value: String(one.index), label: one.name }))}
                    onChange={event => change({ level_index: event.target.value })}
                  />
                )}
              </>
            ) : (
              <Note>{t('plans.replaces')}</Note>
            )}
            <TextField label={t('plans.name')} {...field('name')} required optional={false} />
            <TextField label={t('plans.number')} {...field('drawing_number')} />
            <TextField label={t('plans.revision_field')} {...field('revision')} />
            <TextField label={t('plans.suitability')} {...field('suitability')} />
          </>
        )
      }}
    </RecordForm>
  )
}

const hasLevels = (feature: Feature | undefined): boolean => (feature?.levels.length ?? 0) > 0
