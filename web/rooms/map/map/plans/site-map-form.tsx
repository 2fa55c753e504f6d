import { useState } from 'react'
import { NumberField, TextField } from '../../../../base/kit/field.tsx'
import { toast } from '../../../../base/kit/note.tsx'
import { RecordForm } from '../../../../base/records/form.tsx'
import { baseOf, FileEntry } from '../parts/file-entry.tsx'
import { uploadMap } from './plans-data.ts'
import { t } from './says.ts'

/** Returns whether a file is a PDF, by what the device says. */
export const isPdf = (file: File | null): boolean => file !== null && (file.type === 'application/pdf' || /\.pdf$/i.test(file.name))

type Given = { site_id: string; onClose(): void }

/** Uploads a site map. */
export function SiteMapForm({ site_id, onClose }: Given) {
  const [file, setFile] = useState<File | null>(null)
  const [missing, setMissing] = useState(false)
  return (
    <RecordForm
      side
      title={t('plans.add_map')}
      name={`site map ${site_id}`}
      body="ImportDrawing"
      start={{ name: '', captured_on: '', page: '1' }}
      button={t('plans.send')}
      said={null}
      save={async ({ name, captured_on, page }) => {
        setMissing(file === null)
        if (file === null) return
        const made = await uploadMap({ site_id, name, captured_on, page: isPdf(file) ? page : '' }, file)
        toast(t('plans.map_sent', { name: made.name }))
        onClose()
      }}
      onClose={onClose}
    >
      {({ field, values, change }) => (
        <>
          <FileEntry
            label={t('plans.file')}
            hint={t('plans.map_file_hint')}
            fault={missing && file === null ? t('plans.no_file') : undefined}
            accept=".png,.jpg,.jpeg,.webp,.tif,.tiff,.pdf,.zip"
            onFile={chosen => {
              setFile(chosen)
              if (chosen !== null && values.name === '') change({ name: baseOf(chosen) })
            }}
          />
          {isPdf(file) && <NumberField label={t('plans.page')} {...field('page')} required min={1} step={1} />}
          <TextField label={t('plans.name')} {...field('name')} required optional={false} />
          <TextField type="date" label={t('plans.captured_on')} {...field('captured_on')} />
        </>
      )}
    </RecordForm>
  )
}
