import { useId, useState } from 'react'
import { Button } from '../../../../base/kit/button.tsx'
import { Glyph } from '../../../../base/kit/glyph.tsx'
import { t } from '../../../../base/words.ts'

/** Several short texts: chosen from common ones with a tap, or typed. */
export function TagField({
  label,
  value,
  suggestions,
  onChange,
}: {
  label: string
  value: readonly string[]
  suggestions: readonly string[]
  onChange(tags: string[]): void
}) {
  const id = useId()
  const [typed, setTyped] = useState('')
  const add = (text: string) => {
    const tags = text
      .split(/[,;\n]/)
      .map(one => one.trim())
      .filter(one => one !== '' && !value.includes(one))
    if (tags.length > 0) onChange([...value, ...tags])
    setTyped('')
  }
  const toggle = (tag: string) => onChange(value.includes(tag) ? value.filter(one => one !== tag) : [...value, tag])
  return (
    <div className="entry">
      <label htmlFor={id}>{label}</label>
      <ul className="row tight-row">
        {[...suggestions, ...value.filter(tag => !suggestions.includes(tag))].map(tag => (
          <li key={tag}>
            <Button className="pill" aria-pressed={value.includes(tag)} onClick={() => toggle(tag)}>
              {tag}
            </Button>
          </li>
        ))}
        <li className="tag-own">
          <input
            id={id}
            className="input"
            placeholder={t('request.add_other')}
            value={typed}
            onChange={event => setTyped(event.target.value)}
            onBlur={() => add(typed)}
            onKeyDown={event => {
              if (event.key !== 'Enter' && event.key !== ',') return
              event.preventDefault()
              add(typed)
            }}
          />
          {typed !== '' && (
            <Button aria-label={t('request.add', { what: label })} square onClick={() => add(typed)}>
              <Glyph name="plus" />
            </Button>
          )}
        </li>
      </ul>
    </div>
  )
}
