import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import type { Expression, Program, TSInterfaceDeclaration, TSSignature, TSType, TSTypeName } from 'oxc-parser'

/** The types of a column, each as text: `number`, `string[]`, `null` … */
interface ColumnTypes {
  select: string[]
  /** Empty if an insert must not name the column. */
  insert: string[]
}

const simpleTypes: Partial<Record<TSType['type'], string>> = {
  TSBooleanKeyword: 'boolean',
  // A value of a closed set of texts.
  TSLiteralType: 'string',
  TSNullKeyword: 'null',
  TSNumberKeyword: 'number',
  TSStringKeyword: 'string',
  TSUndefinedKeyword: 'undefined',
}

type Properties = [name: string, type: TSType][]

/** Reads the interface `Tables` from the files `tables*.ts` of a folder: the columns, named `table.column`. */
export function readTableTypes(folder: string): Map<string, ColumnTypes> {
  return new TableTypesReader(folder).readColumns()
}

class TableTypesReader {
  readonly #interfaces = new Map<string, TSInterfaceDeclaration>()
  readonly #aliases = new Map<string, TSType>()

  constructor(folder: string) {
    for (const file of readdirSync(folder).filter((name) => /^tables(\.(?!test)[a-z]+)?\.ts$/.test(name)))
      for (const statement of parseFile(join(folder, file))) {
        const node = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement
        if (node?.type === 'TSInterfaceDeclaration') this.#interfaces.set(node.id.name, node)
        if (node?.type === 'TSTypeAliasDeclaration') this.#aliases.set(node.id.name, node.typeAnnotation)
      }
  }

  readColumns(): Map<string, ColumnTypes> {
    return new Map(
      this.#readInterface('Tables').flatMap(([table, type]) =>
        this.#readTable(type).map(
          ([column, columnType]) => [`${table}.${column}`, this.#readColumn(columnType)] as const,
        ),
      ),
    )
  }

  #readTable(type: TSType): Properties {
    if (type.type === 'TSTypeLiteral') return type.members.map(readProperty)
    if (type.type === 'TSTypeReference') return this.#readInterface(readName(type.typeName))
    throw new Error(`${type.type} is not the type of a table`)
  }

  #readInterface(name: string): Properties {
    const declaration = this.#interfaces.get(name)
    if (declaration === undefined) throw new Error(`The interface ${name} is missing`)
    const inheritedProperties = declaration.extends.flatMap(({ expression }) =>
      this.#readInterface(readName(expression)),
    )
    return [...inheritedProperties, ...declaration.body.body.map(readProperty)]
  }

  #readColumn(type: TSType | undefined): ColumnTypes {
    if (type?.type === 'TSTypeReference')
      return this.#readReference(readName(type.typeName), type.typeArguments?.params)
    if (type?.type === 'TSUnionType') {
      const members = type.types.map((member) => this.#readColumn(member))
      return {
        select: members.flatMap(({ select }) => select),
        insert: members.flatMap(({ insert }) => insert),
      }
    }
    if (type?.type === 'TSArrayType')
      return sameTypes(...this.#readColumn(type.elementType).select.map((element) => `${element}[]`))
    const name = type && simpleTypes[type.type]
    if (name === undefined) throw new Error(`${type?.type} is not the type of a column`)
    return sameTypes(name)
  }

  #readReference(name: string, parameters: TSType[] = []): ColumnTypes {
    const alias = this.#aliases.get(name)
    if (alias !== undefined) return this.#readColumn(alias)
    if (['Buffer', 'Date', 'Record'].includes(name)) return sameTypes(name)
    const { select } = this.#readColumn(parameters[0])
    if (name === 'Generated') return { select, insert: [...select, 'undefined'] }
    if (name === 'GeneratedAlways') return { select, insert: [] }
    if (name === 'ColumnType') return { select, insert: this.#readColumn(parameters[1]).insert }
    throw new Error(`${name} is not the type of a column`)
  }
}

function parseFile(file: string): Program['body'] {
  const { program, errors } = parseSync(file, readFileSync(file, 'utf8'))
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  return program.body
}

const sameTypes = (...types: string[]): ColumnTypes => ({ select: types, insert: types })

function readProperty(member: TSSignature): [name: string, type: TSType] {
  if (member.type !== 'TSPropertySignature' || member.key.type !== 'Identifier' || !member.typeAnnotation)
    throw new Error(`${member.type} is not a property`)
  return [member.key.name, member.typeAnnotation.typeAnnotation]
}

function readName(node: Expression | TSTypeName): string {
  if (node.type !== 'Identifier') throw new Error(`${node.type} is not a name`)
  return node.name
}
