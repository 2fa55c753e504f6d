import { usePrinting } from '../base/printing.ts'
import { useHere } from '../base/site.tsx'
import { stampOf } from '../base/time.ts'
import { addWords } from '../base/words.ts'

const { t } = addWords({ 'print.page': '{site}. Printed from the screen on {time} ({zone}).' })

/** On paper only: which site a page is about, and when it was printed. The board and a permit say so themselves. */
export default function Printed() {
  const { name, zone } = useHere()
  const printing = usePrinting()
  if (printing === null) return null
  return (
    <p className="print-only small printed">
      {t('print.page', { site: name, time: stampOf(new Date(printing).toISOString(), zone), zone })}
    </p>
  )
}
