import type { BrowserSettings } from "#contract/browser-settings.ts";
import { useSite } from "#web/api/site.ts";
import { Field } from "#web/ui/field.tsx";
import { Select } from "#web/ui/select.tsx";
import type { JobFields, Problems } from "./fields.ts";

type BrowserFieldsProps = {
  fields: JobFields;
  problems: Problems;
  put: (part: Partial<JobFields>) => void;
  /** What the job inherits from its group, part by part. */
  inherited?: BrowserSettings | null | undefined;
};

type Choice = "device" | "colorScheme" | "motion" | "consent";

/** The choices with their words; the first is what applies if nothing is chosen. */
const choices = {
  device: {
    label: "Device",
    options: { desktop: "Desktop, 1280 px", tablet: "Tablet, 820 px", phone: "Phone, 412 px" },
  },
  consent: {
    label: "Consent banners",
    options: { reject: "Reject, or hide", accept: "Accept", leave: "Leave on the page" },
  },
  colorScheme: { label: "Color scheme", options: { light: "Light", dark: "Dark" } },
  motion: { label: "Animations", options: { reduced: "Reduced", full: "All" } },
} as const satisfies Record<Choice, { label: string; options: Record<string, string> }>;

const blockable = { images: "Images", fonts: "Fonts", media: "Audio and video", ads: "Ads" } as const;
type Blockable = keyof typeof blockable;

/** Edits how the browser opens the page: device, visitor, consent banners, what isn't loaded. */
export function BrowserFields({ fields, problems, put, inherited }: BrowserFieldsProps) {
  const { browser } = fields;
  const site = useSite();
  const set = (part: BrowserSettings) => put({ browser: withoutEmpty({ ...browser, ...part }) });
  const blocked: readonly Blockable[] = browser.block ?? inherited?.block ?? [];
  const offered = (Object.keys(blockable) as Blockable[]).filter(
    (type) => type !== "ads" || site?.adList || blocked.includes(type),
  );
  const scrolls = browser.scroll ?? inherited?.scroll ?? false;
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="grid gap-4 sm:grid-cols-2">
        {(Object.keys(choices) as Choice[]).map((name) => (
          <Select
            key={name}
            label={choices[name].label}
            value={browser[name] ?? ""}
            onChange={(value) => set({ [name]: value || undefined })}
            options={optionsOf(name, inherited)}
          />
        ))}
        <Field
          label="Language of the visitor"
          mono
          placeholder={inherited?.language ?? "en-US"}
          value={fields.browserLanguage}
          onChange={(event) => put({ browserLanguage: event.target.value })}
          error={problems.browserLanguage}
          autoComplete="off"
          spellCheck={false}
        />
        <Field
          label="Time zone of the visitor"
          mono
          placeholder={inherited?.timeZone ?? "the server’s"}
          value={fields.browserTimeZone}
          onChange={(event) => put({ browserTimeZone: event.target.value })}
          error={problems.browserTimeZone}
          autoComplete="off"
          spellCheck={false}
        />
      </div>
      <fieldset className="flex flex-wrap gap-x-4 gap-y-2 text-sm">
        <legend className="mb-1.5 font-medium">Don’t load</legend>
        {offered.map((type) => (
          <Checkbox
            key={type}
            label={blockable[type]}
            checked={blocked.includes(type)}
            onChange={(checked) =>
              set({ block: checked ? [...blocked, type] : blocked.filter((other) => other !== type) })
            }
          />
        ))}
      </fieldset>
      <Checkbox
        label="Scroll to the end of the page first, so that it loads everything"
        checked={scrolls}
        onChange={(scroll) => set({ scroll })}
      />
      {problems.browser && <p className="text-sm text-removed">{problems.browser}</p>}
      <p className="text-sm text-muted">
        Apart from your own steps, we only click consent banners. To watch a banner’s own text, leave it on
        the page and select it under “Compare only”. If you change how the page is opened, the next capture
        becomes the new baseline, without an alert.
      </p>
    </div>
  );
}

function Checkbox({
  label,
  checked,
  onChange,
}: {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}) {
  return (
    <label className="flex items-center gap-2 text-sm">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="size-4 accent-accent-text"
      />
      {label}
    </label>
  );
}

function optionsOf(name: Choice, inherited: BrowserSettings | null | undefined) {
  const labels: Record<string, string> = choices[name].options;
  const given = inherited?.[name];
  const [usual = ""] = Object.keys(labels);
  const unset = given ? `Group default: ${labels[given]}` : labels[usual];
  return [
    { value: "", label: unset ?? "" },
    ...Object.entries(labels)
      .filter(([value]) => given || value !== usual)
      .map(([value, label]) => ({ value, label })),
  ];
}

function withoutEmpty(settings: BrowserSettings): BrowserSettings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

/** Summarizes how the page is opened, in a few words. */
export function browserNote(
  { browser, browserLanguage }: JobFields,
  inherited: BrowserSettings | null = null,
): string {
  const { device, consent } = { ...inherited, ...browser };
  const language = browserLanguage.trim() || inherited?.language;
  const answers = { accept: "banners accepted", leave: "banners left", reject: "" };
  return [device ?? "desktop", language, answers[consent ?? "reject"]].filter(Boolean).join(", ");
}
