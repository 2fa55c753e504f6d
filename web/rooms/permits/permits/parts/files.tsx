import { useState } from 'react'
import { fetchFile } from '../../../../base/api.ts'
import { Button } from '../../../../base/kit/button.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { toast, toastFault } from '../../../../base/kit/note.tsx'
import { perform } from '../../../../base/outbox.ts'
import { markedName } from '../../../../base/records/marks.ts'
import { type Photo, PhotoStrip, useWaitingPhotos } from '../../../../base/records/photo-strip.tsx'
import { showFile } from '../../../../base/save.ts'
import { t } from '../../../../base/words.ts'
import { permitsMoved } from '../data.ts'
import type { Permit } from '../steps.ts'

/** Opens a file of the service in a new tab. */
export async function openFile(path: string): Promise<void> {
  try {
    showFile(await fetchFile(path.replace(/^\/api/, '')))
  } catch (error) {
    toastFault(error)
  }
}

const kilobytes = (size: number) =>
  size < 1_048_576 ? `${Math.max(1, Math.round(size / 1024))} kB` : `${(size / 1_048_576).toFixed(1)} MB`

/** Adds a file to a permit, stored on this device until the service has it. Returns whether the service has it already. */
export async function attachFile(permit: Permit, file: File, slot: string | null): Promise<boolean> {
  const done = await perform({
    site_id: permit.site_id,
    subject: { kind: 'permit', id: permit.id, label: permit.permit_number ?? permit.title ?? t('permit.untitled') },
    says: `${t('permit.attach')}: ${file.name}`,
    method: 'POST',
    path: `/permits/applications/${permit.id}/attachments`,
    file: { blob: file, name: file.name, slot },
  })
  // The permit's new content must be on screen before anyone signs it.
  if (done.outcome === 'accepted') await permitsMoved(permit.id)
  return done.outcome === 'accepted'
}

/** Required documents of the types, and all files. A photo can be taken here, and is stored on the phone until it is sent. */
export function Files({ permit }: { permit: Permit }) {
  const [busy, setBusy] = useState<string | null>(null)
  const may = permit.permissions.attach.allowed
  const waiting = useWaitingPhotos(permit.id, '/attachments')
  const attach = async (slot: string | null, list: FileList | null) => {
    for (const file of list ?? []) {
      setBusy(slot ?? '')
      try {
        if (!(await attachFile(permit, file, slot))) toast(t('outbox.saved'))
      } catch (error) {
        toastFault(error)
      }
    }
    setBusy(null)
  }
  const free = permit.attachments.filter(file => file.slot === null || !permit.expected_attachments.some(slot => slot.key === file.slot))
  const pick = (slot: string | null, label: string) => (
    <label className={`btn ${slot === null ? '' : 'quiet'}`}>
      <Glyph name={busy === (slot ?? '') ? 'clock' : 'camera'} />
      {slot === null ? (
        label
      ) : (
        <>
          {t('permit.attach_here')}
          <span className="unseen"> {label}</span>
        </>
      )}
      <input
        className="unseen"
        type="file"
        multiple={slot === null}
        accept="image/*,application/pdf,.docx,.xlsx"
        onChange={event => void attach(slot, event.target.files)}
      />
    </label>
  )
  return (
    <section className="panel" aria-label={t('permit.files')}>
      <header>
        <h2>{t('permit.files')}</h2>
        {may && pick(null, t('permit.attach'))}
      </header>
      <ul className="files">
        {permit.expected_attachments.map(slot => {
          const own = permit.attachments.filter(file => file.slot === slot.key)
          return (
            <li key={slot.key} className={own.length === 0 ? 'missing' : ''}>
              <span className="row spread">
                <span className="strong">
                  {slot.label} {slot.required && <span className="soft small">({t('permit.needed')})</span>}
                </span>
                {own.length === 0 && (may ? pick(slot.key, slot.label) : <span className="badge warn">{t('permit.missing_slot')}</span>)}
              </span>
              <Attached permit={permit} label={slot.label} files={own} />
            </li>
          )
        })}
        {free.length + waiting.length > 0 && (
          <li>
            <Attached permit={permit} label={t('permit.photos')} files={free} waiting={waiting} />
          </li>
        )}
      </ul>
      {permit.attachments.length + permit.expected_attachments.length + waiting.length === 0 && (
        <p className="soft">{t('permit.no_files')}</p>
      )}
    </section>
  )
}

type Attachment = Permit['attachments'][number]
const isPicture = (file: Attachment): boolean => file.media_type.startsWith('image/')

/** Some files of the permit: photos as pictures, everything else as lines. */
function Attached({
  permit,
  label,
  files,
  waiting = [],
}: {
  permit: Permit
  label: string
  files: readonly Attachment[]
  waiting?: readonly Photo[]
}) {
  const photos = files.filter(isPicture).map(file => photoOf(permit, file))
  return (
    <>
      <PhotoStrip label={label} photos={[...photos, ...waiting]} />
      {files
        .filter(file => !isPicture(file))
        .map(file => (
          <FileLine key={file.id} file={file} />
        ))}
    </>
  )
}

const photoOf = (permit: Permit, { id, filename, size, url, slot }: Attachment): Photo => ({
  id,
  name: filename,
  about: kilobytes(size),
  thumb: { path: `${url}?site_id=${permit.site_id}&variant=thumb` },
  large: { path: `${url}?site_id=${permit.site_id}&variant=preview` },
  ...(permit.permissions.attach.allowed && {
    onMarked: (copy: Blob) => attachFile(permit, new File([copy], markedName(filename), { type: copy.type }), slot),
  }),
  onOpen: () => void openFile(url),
})

const FileLine = ({ file }: { file: Attachment }) => (
  <span className="row">
    <Button look="quiet" onClick={() => void openFile(file.url)}>
      <Glyph name="clip" />
      {file.filename}
    </Button>
    <span className="soft tiny mono" title={file.sha256}>
      {kilobytes(file.size)}
    </span>
  </span>
)
