import { useEffect, useState } from 'react'
import { useHere } from '../../../base/site.tsx'
import { Sets } from './parts/sets.tsx'
import { Upload } from './parts/upload.tsx'
import { t } from './says.ts'
import './import.css'

/** Imports a register of permits from a spreadsheet: read, previewed, then imported. */
export default function Import() {
  const here = useHere()
  const [open, setOpen] = useState(false)
  useEffect(() => {
    document.title = `${t('import.title')} · ${here.name}`
  }, [here.name])
  return (
    <div className="stack import-page">
      <h1>{t('import.title')}</h1>
      <p className="soft says">{t('import.says')}</p>
      {here.canChange('contractor_manage') && <Upload onOpen={setOpen} />}
      <Sets chooses={!open} />
    </div>
  )
}
