import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { codeKey } from './domain/features.ts'
import { keyOf, type Level, levelFaults, levelName, levelNamed, levelsFrom, levelWord, surelyLevel } from './domain/levels.ts'

const storeys = (from: number, to: number, more: Partial<Record<number, Partial<Level>>> = {}): Level[] =>
  levelsFrom(Array.from({ length: to - from + 1 }, (_, i) => ({ index: from + i, ...more[from + i] })))

const FIVE = storeys(-2, 5)
const read = (text: string, levels: readonly Level[] = FIVE) => levelNamed(text, levels, 'Block A').index

describe('level names', () => {
  test('§1 a level is read from G, GF and ground; L3, L03, Level 3, 3F and 03; B1, LG1 and basement 1', () => {
    for (const text of ['G', 'GF', 'ground', 'Ground Floor', 'gf.', 'G/F', '0', 'L0', 'Level 0', 'level 00'])
      assert.equal(read(text), 0, text)
    for (const text of [
      'L3',
      'L03',
      'Level 3',
      '3F',
      '03',
      '3',
      'LEVEL  03',
      'lvl 3',
      'Floor 3',
      '3rd floor',
      'L.3',
      'level_3',
      'L 3',
      '3/F',
      'Level #3',
    ])
      assert.equal(read(text), 3, text)
    for (const text of ['B1', 'LG1', 'basement 1', 'Basement 01', 'LG 1', 'B-1', 'Level B1', '-1', 'Level -1', 'lower ground 1', '−1'])
      assert.equal(read(text), -1, text)
  })

  test('§1 text that isn’t a level name, or could mean two levels, matches no level', () => {
    for (const text of [
      '',
      'roof',
      'L',
      'B',
      'LG',
      'basement',
      'B0',
      'level',
      'L3-5',
      'Levels 3 to 5',
      '3.5',
      '3 4',
      'L-1',
      '1000',
      'L3a',
      'A3',
      '3B',
      '1/2',
      'mezzanine',
    ])
      assert.equal(levelWord(text), null, text)
  })

  test('§1 names and aliases of the building come first', () => {
    const levels = storeys(0, 3, {
      0: { name: 'Level 1' },
      1: { name: 'Level 2', aliases: ['podium', 'B1'] },
      3: { aliases: ['Roof-deck'] },
    })
    assert.deepEqual(
      ['Level 1', 'level-1', 'L1', 'PODIUM', 'b1', 'roof deck', '0'].map(text => read(text, levels)),
      [0, 0, 1, 1, 1, 3, 0],
    )
    const twice = storeys(0, 1, { 0: { aliases: ['Lobby'] }, 1: { aliases: ['lobby'] } })
    assert.match(levelNamed('LOBBY', twice, 'Block A').why ?? '', /two levels of Block A: Ground and Level 1/)
  })

  test('§1 a level that the building doesn’t have isn’t guessed', () => {
    assert.deepEqual(levelNamed('Level 9', FIVE, 'Block A'), { index: null, why: 'Block A has no level 9.' })
    assert.equal(read('B3'), null)
    assert.match(levelNamed('attic', FIVE, 'Block A').why ?? '', /“attic” isn’t a level of Block A/)
    assert.equal(read('G', []), null)
  })

  test('§1 every spelling of every level is read as that level, and never as one that doesn’t exist', () => {
    const spelled = (n: number) =>
      n > 0
        ? [`L${n}`, `Level ${n}`, `${n}F`, `${n}`, `0${n}`, `level 0${n}`, levelName(n)]
        : n === 0
          ? ['G', 'GF', 'ground', levelName(0)]
          : [`B${-n}`, `LG${-n}`, `basement ${-n}`, `${n}`, levelName(n)]
    fc.assert(
      fc.property(
        fc.integer({ min: -9, max: 0 }),
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: -12, max: 70 }),
        fc.nat(),
        fc.boolean(),
        (low, high, n, pick, upper) => {
          const all = spelled(n)
          const text = all[pick % all.length] ?? ''
          const levels = storeys(low, high)
          assert.equal(read(upper ? ` ${text.toUpperCase()} ` : text, levels), n >= low && n <= high ? n : null, text)
        },
      ),
    )
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 12 }), text => {
        const index = read(text)
        assert.ok(index === null || FIVE.some(level => level.index === index))
        assert.equal(keyOf(keyOf(text)), keyOf(text))
      }),
    )
  })

  test('only a letter with a number, or a word for a level, can be nothing but a level', () => {
    assert.deepEqual(['L3', '3F', 'GF', 'ground', 'B1', 'Level 3'].map(surelyLevel), Array(6).fill(true))
    assert.deepEqual(['G', '3', '03', '-1', 'roof', 'A'].map(surelyLevel), Array(6).fill(false))
  })

  test('a key ignores case, spaces and punctuation, and keeps numbers apart and a minus sign', () => {
    assert.equal(keyOf('Block A'), keyOf('BLOCK-a'))
    assert.equal(keyOf('Block A'), keyOf(' blockA. '))
    assert.equal(keyOf('Straße 5'), keyOf('STRASSE 5'))
    assert.equal(keyOf('STRAẞE 5'), keyOf('Straße 5'))
    assert.equal(keyOf('ΟΔΟΣ Α'), keyOf('οδοσ α'))
    for (const text of ['ẞ', 'À ς', '𐲀 Ϲ', '˘𝅗𝅥', 'ᾀ῭', '㈀ㅏ']) assert.equal(keyOf(keyOf(text)), keyOf(text), text)
    assert.notEqual(keyOf('Plot 1-1'), keyOf('Plot 11'))
    assert.notEqual(keyOf('Level -1'), keyOf('Level 1'))
    assert.equal(keyOf('Plot 1 / 1'), keyOf('plot 1-1'))
    assert.equal(keyOf('…'), '')
  })

  test('codes are compared without case, ẞ equals ß and a final sigma any other, but spaces and dashes count', () => {
    for (const [a, b] of [
      ['STRAẞE-1', 'straße-1'],
      ['STRASSE-1', 'straße-1'],
      ['ΟΔΟΣ', 'οδοσ'],
      ['z-01', 'Z-01'],
      ['Ｚ１', 'z1'],
    ])
      assert.equal(codeKey(a ?? ''), codeKey(b ?? ''), `${a} ${b}`)
    assert.notEqual(codeKey('Z-01'), codeKey('Z01'))
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), text => assert.equal(codeKey(codeKey(text)), codeKey(text))))
  })

  test('§1 a repeated index, and floors that don’t rise with the index, are refused by their place in the list', () => {
    const faults = levelFaults([
      { index: 1, floor_elevation_m: 4 },
      { index: 0, floor_elevation_m: 4.5 },
      { index: 1 },
      { index: 2, floor_elevation_m: null },
      { index: 3, floor_elevation_m: 9 },
    ])
    assert.deepEqual(
      faults.map(f => f.path),
      ['levels[2].index', 'levels[0].floor_elevation_m'],
    )
    assert.deepEqual(
      levelFaults([
        { index: 2, floor_elevation_m: 8 },
        { index: -1, floor_elevation_m: -3 },
      ]),
      [],
    )
    assert.deepEqual(
      levelsFrom([{ index: 1 }, { index: -1 }, { index: 0, name: 'Lobby' }]).map(l => [l.index, l.name]),
      [
        [-1, 'Basement 1'],
        [0, 'Lobby'],
        [1, 'Level 1'],
      ],
    )
  })
})
