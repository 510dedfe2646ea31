import { useState } from "react";
import { emptyFields } from "./fields.ts";
import { FormSection } from "./form-section.tsx";
import { type JobSection, jobSections, sectionDiffers } from "./sections/job-sections.tsx";
import type { SectionProps } from "./sections/section-props.ts";

const general = jobSections.filter(({ id }) => id === "general");
const common = jobSections.filter(({ id, isAdvanced }) => !isAdvanced && id !== "general");
const advanced = jobSections.filter(({ isAdvanced }) => isAdvanced);

/** Every field of a new job: the common ones first, the others in collapsed sections. */
export function JobForm(props: SectionProps) {
  const { fields, problems, plan, inherited } = props;
  const [empty] = useState(() => emptyFields("", plan));
  const isSet = (section: JobSection) => sectionDiffers(section, fields, empty);
  const isWrong = (section: JobSection) => section.fields.some((name) => problems[name] !== undefined);
  return (
    <div className="mt-3 grid grid-cols-1 gap-4">
      {general.map((section) => (
        <div key={section.id}>{section.render(props)}</div>
      ))}
      {common.map((section) => (
        <FormSection
          key={section.id}
          title={section.title}
          note={section.note(fields, inherited)}
          start={isSet(section)}
          forced={isWrong(section)}
        >
          {section.render(props)}
        </FormSection>
      ))}
      <FormSection
        title="Advanced"
        note="rules, message, trigger, request, steps, text lookup, note"
        start={advanced.some(isSet)}
        forced={advanced.some(isWrong)}
      >
        {advanced.map((section) => (
          <section
            key={section.id}
            className="grid grid-cols-1 gap-3 border-line not-first:border-t not-first:pt-5"
          >
            <h3 className="font-medium">{section.title}</h3>
            {section.render(props)}
          </section>
        ))}
      </FormSection>
    </div>
  );
}
