import type { ReactNode } from 'react';

interface Palette {
  ground: string;
  far: string;
  near: string;
  light: string;
}

/** Quiet enough to stand beside each other, and far apart enough to tell. */
const palettes: readonly [Palette, ...Palette[]] = [
  { ground: '#6d3b47', far: '#a4565a', near: '#3e2430', light: '#f4d9b0' },
  { ground: '#1f4d3f', far: '#3b7a62', near: '#12312a', light: '#efe3b4' },
  { ground: '#b5623c', far: '#d58a58', near: '#6e3524', light: '#fbe9c9' },
  { ground: '#4a3f6b', far: '#7566a0', near: '#2b2545', light: '#f3c9b5' },
  { ground: '#1d3557', far: '#2f5d7c', near: '#12233b', light: '#f2cc8f' },
];

const motifs: readonly [Motif, ...Motif[]] = [mountains, gong, strings, city, rows, kawung, moonOverWaves];

type Motif = (palette: Palette) => ReactNode;

/** The picture of one concert, drawn from its id: always the same one, on every screen. */
export function ConcertArt({ concertId, className = '' }: { concertId: string; className?: string }) {
  const number = Number.parseInt(concertId.slice(-4), 16);
  const motif = motifs[number % motifs.length] ?? motifs[0];
  const palette = palettes[number % palettes.length] ?? palettes[0];
  return (
    <svg
      aria-hidden="true"
      focusable="false"
      viewBox="0 0 400 200"
      preserveAspectRatio="xMidYMid slice"
      className={className}
    >
      <rect width="400" height="200" fill={palette.ground} />
      {motif(palette)}
    </svg>
  );
}

/** `count` drawings in a row, each told its place. */
function repeat(count: number, draw: (index: number) => ReactNode): ReactNode[] {
  return Array.from({ length: count }, (_, index) => draw(index));
}

function moonOverWaves({ far, near, light }: Palette) {
  return (
    <>
      <circle cx="278" cy="78" r="46" fill={light} />
      {repeat(5, (row) => (
        <path
          key={row}
          d={`M-40 ${112 + row * 20}${' q25 -16 50 0 t50 0'.repeat(6)} V220 H-40 Z`}
          transform={`translate(${row % 2 === 0 ? 0 : 26} 0)`}
          fill={row % 2 === 0 ? far : near}
          opacity={0.55 + row * 0.1}
        />
      ))}
    </>
  );
}

function gong({ far, near, light }: Palette) {
  return (
    <>
      <path d="M96 200 V52 M304 200 V52" stroke={near} strokeWidth="12" />
      <path d="M70 52 Q200 20 330 52" stroke={near} strokeWidth="12" fill="none" strokeLinecap="round" />
      <path d="M168 40 V66 M232 40 V66" stroke={light} strokeWidth="3" />
      {[66, 50, 34].map((radius, ring) => (
        <circle
          key={radius}
          cx="200"
          cy="118"
          r={radius}
          fill={ring % 2 === 0 ? far : near}
          stroke={light}
          strokeWidth="2"
        />
      ))}
      <circle cx="200" cy="118" r="14" fill={light} />
      {[84, 100, 116].map((radius) => (
        <circle
          key={radius}
          cx="200"
          cy="118"
          r={radius}
          fill="none"
          stroke={light}
          strokeWidth="1.5"
          opacity={10 / radius}
        />
      ))}
    </>
  );
}

function mountains({ far, near, light }: Palette) {
  return (
    <>
      {[70, 54, 38].map((radius) => (
        <circle key={radius} cx="140" cy="104" r={radius} fill={light} opacity={radius === 38 ? 1 : 0.25} />
      ))}
      <path d="M-10 200 L90 104 L150 150 L262 46 L282 62 L410 172 V200 Z" fill={far} />
      <path d="M262 46 L282 62 L300 78 L280 84 L268 74 L250 82 L240 67 Z" fill={light} opacity="0.85" />
      <path d="M-10 200 L60 156 L130 184 L214 132 L300 178 L352 150 L410 184 V200 Z" fill={near} />
    </>
  );
}

function strings({ far, near, light }: Palette) {
  return (
    <>
      <circle cx="200" cy="100" r="72" fill={near} />
      <circle cx="200" cy="100" r="72" fill="none" stroke={far} strokeWidth="10" />
      <circle cx="200" cy="100" r="84" fill="none" stroke={light} strokeWidth="2" strokeDasharray="3 9" />
      {repeat(6, (index) => {
        const y = 65 + index * 14;
        const swing = index === 2 ? 16 : 0;
        return (
          <path
            key={index}
            d={`M-5 ${y} Q200 ${y - swing} 405 ${y} M-5 ${y} Q200 ${y + swing} 405 ${y}`}
            stroke={light}
            strokeWidth={1 + index * 0.4}
            fill="none"
          />
        );
      })}
    </>
  );
}

function kawung({ far, near, light }: Palette) {
  return (
    <>
      {repeat(5 * 9, (index) => (
        <g key={index} transform={`translate(${(index % 9) * 50} ${Math.floor(index / 9) * 50}) rotate(45)`}>
          {[0, 90, 180, 270].map((turn) => (
            <ellipse key={turn} cx="0" cy="-18" rx="10" ry="15.5" fill={far} transform={`rotate(${turn})`} />
          ))}
          {[0, 90, 180, 270].map((turn) => (
            <ellipse key={turn} cx="0" cy="-18" rx="2" ry="6" fill={light} transform={`rotate(${turn})`} />
          ))}
          <rect x="-3.5" y="-3.5" width="7" height="7" fill={near} />
        </g>
      ))}
    </>
  );
}

function city({ far, near, light }: Palette) {
  return (
    <>
      <path
        d="M200 200 L60 -10 H130 Z M200 200 L270 -10 H340 Z M200 200 L178 -10 H222 Z"
        fill={light}
        opacity="0.22"
      />
      {[
        [10, 96, 44],
        [60, 64, 36],
        [102, 118, 50],
        [248, 110, 42],
        [296, 58, 40],
        [342, 88, 48],
      ].map(([x = 0, top, width = 0]) => (
        <g key={x}>
          <rect x={x} y={top} width={width} height="140" fill={far} />
          <path
            d={`M${x + width / 2} 130 V190`}
            stroke={light}
            strokeWidth={width - 18}
            strokeDasharray="3 9"
            opacity="0.6"
          />
        </g>
      ))}
      <path d="M194 200 L198 44 H202 L206 200 Z" fill={near} />
      <path d="M200 22 q9 12 0 22 q-9 -10 0 -22" fill={light} />
      <rect y="184" width="400" height="16" fill={near} />
    </>
  );
}

function rows({ far, near, light }: Palette) {
  return (
    <>
      <path d="M200 -20 L86 128 H314 Z" fill={light} opacity="0.28" />
      <ellipse cx="200" cy="128" rx="114" ry="14" fill={light} />
      {repeat(3, (row) => (
        <path
          key={row}
          d={`M${-30 + row * 17} ${150 + row * 20}${' a17 20 0 0 1 34 0'.repeat(14)} V220 H-40 Z`}
          fill={row === 1 ? near : far}
        />
      ))}
    </>
  );
}
