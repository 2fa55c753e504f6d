// Where the terms are checked: texts in code (never SQL or names), document templates, documents, and comments.
import { readFileSync } from 'node:fs'
import ts from 'typescript'

/** A piece of text, and the line of its file on which it starts. */
export type Piece = { line: number; text: string }

const PROSE = /\p{L}[\p{L}’'-]*[,;:]? +\p{L}/u
const CODE =
  /^\s*(?:select|insert|update|delete|with|create|alter|drop|begin|set|grant|explain|copy|lock|truncate|comment)\b[^.?!]*\b(?:from|into|table|on|set|index|local|as|where|role|function)\b/i

const LITERALS: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.StringLiteral,
  ts.SyntaxKind.NoSubstitutionTemplateLiteral,
  ts.SyntaxKind.TemplateHead,
  ts.SyntaxKind.TemplateMiddle,
  ts.SyntaxKind.TemplateTail,
  ts.SyntaxKind.RegularExpressionLiteral,
  ts.SyntaxKind.JsxText,
])

/**
 * Lists texts, test titles and comments of a source file. The holes of a template are read as an ellipsis; tagged templates are queries or markup, and
 * are left out.
 */
export function piecesOf(file: string): { texts: Piece[]; titles: Piece[]; comments: Piece[] } {
  const code = readFileSync(file, 'utf8')
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true, file.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS)
  const texts: Piece[] = []
  const titles: Piece[] = []
  const lineOf = (at: number) => source.getLineAndCharacterOfPosition(at).line + 1
  const take = (node: ts.Node, text: string) => {
    if (PROSE.test(text) && !CODE.test(text)) texts.push({ line: lineOf(node.getStart()), text })
  }
  const literals: [number, number][] = []
  const visit = (node: ts.Node): void => {
    if (LITERALS.has(node.kind)) literals.push([node.getStart(), node.getEnd()])
    else if (ts.isTaggedTemplateExpression(node)) {
      const { template } = node
      const parts = ts.isTemplateExpression(template) ? [template.head, ...template.templateSpans.map(span => span.literal)] : [template]
      for (const part of parts) literals.push([part.getStart(), part.getEnd()])
    }
    if (ts.isImportDeclaration(node) || ts.isTaggedTemplateExpression(node)) {
      if (ts.isTaggedTemplateExpression(node) && ts.isTemplateExpression(node.template))
        for (const span of node.template.templateSpans) visit(span.expression)
      return
    }
    if (ts.isCallExpression(node) && /^(?:describe|test)(?:\.\w+)?$/.test(node.expression.getText())) {
      const [title] = node.arguments
      if (title !== undefined && (ts.isStringLiteralLike(title) || ts.isTemplateExpression(title)))
        titles.push({ line: lineOf(title.getStart()), text: title.getText().slice(1, -1) })
    }
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) take(node, node.text)
    else if (ts.isJsxText(node)) take(node, node.text.trim())
    else if (ts.isTemplateExpression(node)) take(node, [node.head.text, ...node.templateSpans.map(span => span.literal.text)].join('…'))
    ts.forEachChild(node, visit)
  }
  visit(source)
  return { texts, titles, comments: commentsIn(code, literals) }
}

/** Lists the comments of a source, without their markers. `literals`: where its strings, templates, patterns and JSX texts are, which can look like comments. */
function commentsIn(code: string, literals: readonly (readonly [number, number])[]): Piece[] {
  const kept: string[] = []
  let at = 0
  for (const [from, to] of [...literals].sort(([a], [b]) => a - b)) {
    kept.push(code.slice(at, from), ' '.repeat(to - from))
    at = to
  }
  const bare = `${kept.join('')}${code.slice(at)}`
  return [...bare.matchAll(/\/\*[\s\S]*?\*\/|\/\/.*/g)].map(({ 0: found, index }) => ({
    line: code.slice(0, index).split('\n').length,
    text: found.replace(/^\/\*\*?|\*\/$|^\/\/+|^\s*\* ?/gm, ' ').trim(),
  }))
}

/** Lists the strings of a Typst template. */
export const typstTexts = (file: string): Piece[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, i) => [...line.matchAll(/"([^"]*)"|\[([^\]]*)\]/g)].map(found => ({ line: i + 1, text: found[1] ?? found[2] ?? '' })))
    .filter(piece => PROSE.test(piece.text))
