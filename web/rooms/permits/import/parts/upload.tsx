import { useEffect, useState } from 'react'
import { Go } from '../../../../base/go.tsx'
import { isOver, useJob } from '../../../../base/job.ts'
import { Button } from '../../../../base/kit/button.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { FaultNote, Note } from '../../../../base/kit/note.tsx'
import { Progress } from '../../../../base/kit/progress.tsx'
import { paths } from '../../../../base/paths.ts'
import { useSend } from '../../../../base/send.ts'
import { useHere } from '../../../../base/site.tsx'
import { type Found, imported, upload, useFormats } from '../data.ts'
import { countsOf, isRegister } from '../model.ts'
import { t } from '../says.ts'
import { Findings } from './findings.tsx'

type Run = { file: File; dry: boolean; job_id: string }

/** One file from start to end: chosen, read, reviewed, imported. `onOpen`: whether a file is open, so that no other can be chosen. */
export function Upload({ onOpen }: { onOpen(open: boolean): void }) {
  const here = useHere()
  const formats = useFormats(here.site_id)
  const { fault, busy, send, clear } = useSend()
  const [run, setRun] = useState<Run | null>(null)
  const [refused, setRefused] = useState<string | null>(null)
  const job = useJob(run?.job_id ?? null)
  const state = job.data?.state
  const extensions = formats.data?.flatMap(format => format.extensions) ?? ['xlsx', 'xls']
  useEffect(() => {
    if (state === 'succeeded' && run?.dry === false) imported()
  }, [state, run?.dry])
  const open = run !== null || busy
  useEffect(() => onOpen(open), [open, onOpen])
  const begin = (file: File, dry: boolean) => void send(async () => setRun({ file, dry, job_id: await upload(here.site_id, file, dry) }))
  const take = (file: File | undefined) => {
    if (file === undefined) return
    const fits = isRegister(file.name, extensions)
    setRefused(fits ? null : file.name)
    setRun(null)
    clear()
    if (fits) begin(file, true)
  }
  const found = state === 'succeeded' ? (job.data?.result as Found) : null // the result of an import
  const counts = found === null ? null : countsOf(found)
  const todo = counts === null ? 0 : counts.new + counts.changed
  return (
    <section className="stack" aria-label={t('import.title')}>
      {!open && <Drop extensions={extensions} onFile={take} />}
      {refused !== null && (
        <Note kind="stop">{t('import.not_that', { name: refused, extensions: extensions.map(one => `.${one}`).join(', ') })}</Note>
      )}
      {fault !== null && <FaultNote error={fault} />}
      {job.error !== null && <FaultNote error={job.error} onRetry={() => void job.refetch()} />}
      {run !== null && !isOver(job.data ?? undefined) && (
        <Progress value={job.data?.progress ?? 0} label={t(run.dry ? 'import.reading' : 'import.writing', { name: run.file.name })} />
      )}
      {state === 'failed' && <Note kind="stop">{t('import.failed', { why: job.data?.error?.detail ?? '' })}</Note>}
      {run !== null && found !== null && (
        <>
          {!run.dry && (
            <Note kind="safe" title={t('import.done', { name: run.file.name })}>
              {found.set_id !== null && (
                <Go className="btn" to={paths.board(here.site_id, { imported: 'only', register: found.set_id, view: 'table' })}>
                  {t('import.to_board')}
                </Go>
              )}
            </Note>
          )}
          <Findings found={found} name={run.file.name} dry={run.dry} />
        </>
      )}
      {run !== null && isOver(job.data ?? undefined) && (
        <div className="row">
          {found !== null && run.dry && todo > 0 && (
            <Button look="primary" disabled={busy} onClick={() => begin(run.file, false)}>
              {t('import.go', { n: todo })}
            </Button>
          )}
          {found !== null && run.dry && todo === 0 && <span>{t('import.nothing_to_do')}</span>}
          <Button
            onClick={() => {
              setRun(null)
              clear()
            }}
          >
            {t('import.other')}
          </Button>
        </div>
      )}
    </section>
  )
}

/** The area where a file is dropped or chosen. */
function Drop({ extensions, onFile }: { extensions: readonly string[]; onFile(file: File | undefined): void }) {
  const [over, setOver] = useState(false)
  return (
    <label
      className={`drop${over ? ' over' : ''}`}
      onDragOver={event => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={event => {
        event.preventDefault()
        setOver(false)
        onFile(event.dataTransfer.files[0])
      }}
    >
      <Glyph name="import" size={36} />
      <span className="strong">{t(over ? 'import.drop_now' : 'import.drop')}</span>
      <span className="soft small mono">{extensions.map(one => `.${one}`).join(' ')}</span>
      <input
        className="unseen"
        type="file"
        accept={extensions.map(one => `.${one}`).join(',')}
        onChange={event => {
          onFile(event.target.files?.[0])
          event.target.value = '' // the field is emptied, so that the same file can be chosen again
        }}
      />
    </label>
  )
}
