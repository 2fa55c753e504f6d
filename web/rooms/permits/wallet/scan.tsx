import { type FormEvent, useEffect, useState } from 'react'
import { believe, type PublicKey, readStatement, statementIn } from '../../../../shared/proof/statement.ts'
import { ask, client } from '../../../base/api.ts'
import { asFault } from '../../../base/fault.ts'
import { Go, useGo } from '../../../base/go.tsx'
import { Button } from '../../../base/kit/button.tsx'
import { TextField } from '../../../base/kit/field.tsx'
import { Glyph } from '../../../base/kit/glyph.tsx'
import { Note } from '../../../base/kit/note.tsx'
import { paths } from '../../../base/paths.ts'
import { useHere, useMe } from '../../../base/site.tsx'
import { t } from '../../../base/words.ts'
import { useKeys, useWallet } from './data.ts'
import { Camera } from './parts/camera.tsx'
import { readCode } from './parts/read-code.ts'
import './wallet.css'

type Said = { kind: 'warn' | 'stop'; text: string; site_id?: string }

/** Opens a permit from the code on its document or on another phone: by camera, by a photo, or by its number. */
export default function Scan() {
  const here = useHere()
  const go = useGo()
  const me = useMe()
  const wallet = useWallet(here.site_id)
  const keys = useKeys(here.site_id)
  const [said, setSaid] = useState<Said | null>(null)
  const [number, setNumber] = useState('')
  useEffect(() => {
    document.title = `${t('scan.title')} · ${here.name}`
  }, [here.name])

  /** Opens what was scanned; returns whether the camera should continue scanning. */
  const open = async (scanned: string): Promise<boolean> => {
    const text = statementIn(scanned)
    const read = text === null ? null : readStatement(text)
    if (text === null || read === null) {
      setSaid({ kind: 'warn', text: t('scan.not_ours') })
      return true
    }
    const { permit_id, site_id, content_hash } = read.statement
    if (site_id !== here.site_id) {
      const mine = me.data?.memberships.some(one => one.site_id === site_id && one.status === 'active') ?? false
      setSaid({ kind: 'warn', text: t('scan.other_site'), ...(mine ? { site_id } : {}) })
      return true
    }
    if (await forged(text, keys.data)) {
      setSaid({ kind: 'stop', text: t('scan.not_genuine') })
      return true
    }
    const carried = wallet.data?.find(one => one.id === permit_id)
    if (carried === undefined) go(paths.permit(here.site_id, permit_id))
    else go(paths.wallet(here.site_id, { permit: permit_id, ...(carried.content_hash === content_hash ? {} : { paper: 'old' }) }))
    return false
  }

  const find = async (event: FormEvent) => {
    event.preventDefault()
    const wanted = number.trim().toLowerCase()
    if (wanted === '') return
    // On site, people say only the last digits.
    const fits = (known: string | null) =>
      known !== null && (known.toLowerCase() === wanted || known.toLowerCase().endsWith(wanted.padStart(6, '0')))
    const carried = wallet.data?.find(one => fits(one.permit_number))
    if (carried !== undefined) return go(paths.wallet(here.site_id, { permit: carried.id }))
    try {
      const rows = await ask(client.GET('/permits', { params: { query: { site_id: here.site_id, q: number.trim(), limit: 50 } } }))
      const found = rows.find(one => fits(one.permit_number))
      if (found === undefined) setSaid({ kind: 'warn', text: t('scan.not_found', { number: number.trim() }) })
      else go(paths.permit(here.site_id, found.id))
    } catch (error) {
      const fault = asFault(error)
      setSaid({ kind: 'warn', text: fault.unreached ? t('scan.offline', { number: number.trim() }) : fault.message })
    }
  }

  const photo = async (file: File | undefined) => {
    if (file === undefined) return
    const picture = await createImageBitmap(file).catch(() => null)
    const text = picture === null ? null : await readCode(picture)
    if (text === null) setSaid({ kind: 'warn', text: t('scan.nothing') })
    else await open(text)
  }

  return (
    <div className="field scan">
      <header className="row">
        <Button look="quiet" square aria-label={t('wallet.back')} onClick={() => go(paths.wallet(here.site_id))}>
          <Glyph name="back" size={28} />
        </Button>
        <h1 className="grow">{t('scan.title')}</h1>
      </header>
      <p className="soft">{t('scan.hint')}</p>
      <Camera onFound={open} />
      <div role="status">
        {said !== null && (
          <Note kind={said.kind} title={said.text}>
            {said.site_id !== undefined && (
              <Go className="btn" to={paths.scan(said.site_id)}>
                {t('scan.to_site')}
              </Go>
            )}
          </Note>
        )}
      </div>
      <label className="btn wide">
        <Glyph name="camera" size={26} />
        {t('scan.photo')}
        <input
          className="unseen"
          type="file"
          accept="image/*"
          capture="environment"
          onChange={event => void photo(event.target.files?.[0])}
        />
      </label>
      <form className="stack" onSubmit={event => void find(event)}>
        <TextField
          label={t('scan.number')}
          className="mono"
          autoCapitalize="characters"
          autoComplete="off"
          inputMode="text"
          value={number}
          onChange={event => setNumber(event.target.value)}
        />
        <Button wide type="submit">
          {t('scan.find')}
        </Button>
      </form>
      <a className="btn quiet wide" href={paths.verify()}>
        {t('scan.verify')}
      </a>
    </div>
  )
}

/** Returns whether a document is known not to be genuine. When the site's keys aren't stored here, or the browser can't check, this is unknown. */
async function forged(text: string, keys: readonly PublicKey[] | undefined): Promise<boolean> {
  if (keys === undefined || keys.length === 0) return false
  const { doubt } = await believe(text, keys).catch(() => ({ doubt: null }))
  return doubt === 'wrong_signature' || doubt === 'revoked_key'
}
