export interface Figure {
  label: string;
  value: string;
  note?: string | undefined;
}

/** The figures that matter most, side by side. */
export function Figures({ list }: { list: readonly Figure[] }) {
  return (
    <dl class="figures">
      {list.map(({ label, value, note }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd class="figure-value">{value}</dd>
          {note && <dd class="hint">{note}</dd>}
        </div>
      ))}
    </dl>
  );
}
