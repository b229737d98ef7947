// `npm run schema`: writes docs/schema.md, the drawing of the tables, from a migrated database.

import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { databaseOn, templateName } from './database.ts';
import { openTestServer } from './server.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
export const schemaFile = `${root}docs/schema.md`;

const head = `# The schema

Written by \`npm run schema\` from a migrated database; the files of \`sql/\` say why. One drawing for each room that owns tables,
with what its tables refer to. A line is a foreign key, a dotted one a reference that is checked once per statement
(\`add_reference\` in \`sql/0001_database.sql\`). Columns that are never null have no mark; \`?\` marks the others.
`;

interface Column {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  readonly nullable: boolean;
  readonly primary: boolean;
}

interface Reference {
  readonly child: string;
  readonly columns: string;
  readonly parent: string;
  readonly foreign: boolean;
}

const columnsQuery = `
  select relname as table, attname as column, not attnotnull as nullable,
         replace(format_type(atttypid, null), 'timestamp with time zone', 'timestamptz') as type,
         coalesce(attnum = any (indkey), false) as primary
    from pg_attribute join pg_class on pg_class.oid = attrelid left join pg_index on indrelid = attrelid and indisprimary
   where relkind = 'r' and relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped
   order by relname, attnum`;

/** The references of add_reference are known by their two triggers and by what the check says. */
const referencesQuery = `
  select conrelid::regclass::text as child, confrelid::regclass::text as parent, true as foreign,
         (select string_agg(attname, ', ' order by attnum) from pg_attribute where attrelid = conrelid and attnum = any (conkey)) as columns
    from pg_constraint where contype = 'f'
  union all
  select stays.tgrelid::regclass::text, substring(prosrc from 'unknown (\\w+) '), false,
         (select string_agg(attname, ', ' order by attnum) from pg_attribute
           where attrelid = stays.tgrelid and attnum = any (stays.tgattr))
    from pg_trigger as stays
    join pg_trigger as known on known.tgrelid = stays.tgrelid and known.tgname = regexp_replace(stays.tgname, '_stays$', '_known')
    join pg_proc on pg_proc.oid = known.tgfoid
   where stays.tgname like '%\\_stays'
   order by 1, 4, 2`;

/** The rooms in the order of their files, each with its tables in the order of their creation. */
function tablesByRoom(): (readonly [string, readonly string[]])[] {
  const files = globSync('sql/*.sql', { cwd: root }).sort();
  return files.map((file) => {
    const text = readFileSync(`${root}${file}`, 'utf8');
    const tables = [...text.matchAll(/^create (?:unlogged )?table (\w+)/gm)].map(([, name = '']) => name);
    return [file.replace(/^sql\/\d+_(\w+)\.sql$/, '$1'), tables];
  });
}

function drawTable(name: string, columns: readonly Column[]): string {
  const lines = columns.map(
    ({ column, type, nullable, primary }) => `    ${type} ${column}${primary ? ' PK' : ''}${nullable ? ' "?"' : ''}\n`,
  );
  return `  ${name} {\n${lines.join('')}  }\n`;
}

function drawRoom(
  room: string,
  tables: readonly string[],
  columns: readonly Column[],
  references: readonly Reference[],
) {
  const drawn = tables.map((name) =>
    drawTable(
      name,
      columns.filter(({ table }) => table === name),
    ),
  );
  const lines = references
    .filter(({ child }) => tables.includes(child))
    .map(({ child, parent, foreign, columns: by }) => `  ${child} }o${foreign ? '--' : '..'}|| ${parent} : "${by}"\n`);
  return `\n## ${room}\n\n\`\`\`mermaid\nerDiagram\n${drawn.join('')}${lines.join('')}\`\`\`\n`;
}

/** The page as the database has it. */
export async function schemaText(databaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows: columns } = await client.query<Column>(columnsQuery);
    const { rows: references } = await client.query<Reference>(referencesQuery);
    const rooms = tablesByRoom().filter(([, tables]) => tables.length > 0);
    return head + rooms.map(([room, tables]) => drawRoom(room, tables, columns, references)).join('');
  } finally {
    await client.end();
  }
}

if (import.meta.main) {
  const server = await openTestServer();
  try {
    writeFileSync(schemaFile, await schemaText(databaseOn(server.url, templateName)));
  } finally {
    await server.stop();
  }
}
