"""Which cases of a property are tried in each run: a share, drawn by their names or by the order of the run.

A property that holds of every field, line or option of every example has some ten thousand cases, and one of games or slips
has as many as are made: what breaks it breaks it in many. All of them are tried with AUDITOR_WHOLE=1 in the environment
(`make test-whole`).
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar
from zlib import crc32

WHOLE = "AUDITOR_WHOLE" in os.environ


def is_tried(share: int, *name: object) -> bool:
    """Whether a case is among the one in `share` that are tried."""
    return WHOLE or crc32("/".join(map(str, name)).encode()) % share == 0


Case = TypeVar("Case")


def in_turn(turn: int, cases: Sequence[Case]) -> Sequence[Case]:
    """One of the sizes, schemes or games in which a page is looked at, another for each turn; all of them in whole runs."""
    return cases if WHOLE else [cases[turn % len(cases)]]


def tries(most: int) -> int:
    """How many cases hypothesis draws for a property, of those that it draws in whole runs."""
    return most if WHOLE else max(20, most // 5)


CASES: Mapping[int, Mapping[str, Sequence[str]]] = {
    16: {
        "clx/test_scopes.py": [
            "test_a_scope_is_that_of_whole_audits_with_one_reading_changed",
        ],
        "geometry/test_sight.py": [
            "test_sight_agrees_with_the_second_method_under_random_readings",
        ],
        "hcg/test_scopes.py": [
            "test_a_scope_is_that_of_whole_audits_with_one_reading_changed",
        ],
    },
    12: {
        "calth/test_damage.py": [
            "test_a_damaged_example_accuses_nobody_whom_the_whole_one_clears",
        ],
        "clx/test_fields_left_out.py": [
            "test_a_field_left_out_of_legal_play_accuses_nobody",
        ],
        "clx/test_left_out.py": [
            "test_a_unit_that_no_pack_tells_accuses_nobody",
        ],
        "clx/test_one_slip.py": [
            "test_a_slip_accuses_nobody_of_what_follows",
        ],
        "clx/test_relations.py": [
            "test_a_log_cut_short_accuses_nobody",
            "test_claims_left_out_accuse_nobody",
        ],
        "conformance/clx/test_plant.py": [
            "test_a_scene_ends_with_its_fault_and_has_no_other",
        ],
        "conformance/hcg/test_legal_games.py": [
            "test_a_game_about_a_reading_is_legal_and_its_header_says_by_which_option_it_is_played",
        ],
        "conformance/hcg/test_turning.py": [
            "test_a_fault_of_an_option_is_found_and_only_there_and_open_where_nobody_ruled",
        ],
        "geometry/test_counts.py": [
            "test_the_auditor_counts_alike_under_every_other_option",
        ],
        "geometry/test_sight.py": [
            "test_readings_not_asked_do_not_change_the_answer_and_asked_ones_can",
        ],
        "hcg/test_examples.py": [
            "test_a_legal_record_cut_anywhere_accuses_nobody",
            "test_a_legal_record_with_a_line_missing_accuses_nobody",
            "test_claims_may_be_left_out_without_an_accusation",
        ],
        "hcg/test_fields_left_out.py": [
            "test_a_field_left_out_of_legal_play_accuses_nobody",
        ],
        "hcg/test_missing_facts.py": [
            "test_a_card_that_no_pack_has_accuses_nobody",
            "test_a_missing_field_accuses_nobody_and_a_missing_fact_is_said",
        ],
    },
    10: {
        "hcg/test_said_once.py": [
            "test_a_card_that_came_to_a_sector_without_a_word_is_missed_once",
            "test_a_charge_that_is_left_out_is_found_once",
            "test_a_hand_of_which_one_card_is_left_out_is_missed_once",
            "test_a_hand_of_which_the_first_card_is_left_out_is_missed_once",
            "test_a_hand_that_is_said_twice_to_have_been_drawn_is_found_once",
            "test_a_hand_that_was_drawn_without_a_word_is_missed_once",
            "test_a_part_of_a_hand_about_a_refill_that_was_drawn_without_a_word_is_missed_once",
            "test_damage_that_was_dealt_without_a_word_is_missed_once",
            "test_who_deploys_before_the_other_is_named",
        ],
        "systems/test_nothing_changed.py": [
            "test_a_finding_is_said_to_have_changed_nothing_only_where_the_whole_rest_of_the_record_is_the_same",
        ],
    },
    8: {
        "calth/test_names_of_hexes.py": [
            "test_every_sentence_calls_a_hex_by_the_name_that_its_board_gives_it",
        ],
        "clx/test_left_out.py": [
            "test_weapons_that_no_pack_tells_accuse_nobody",
        ],
        "clx/test_other_names.py": [
            "test_who_plays_and_what_the_units_are_called_decides_nothing",
        ],
        "clx/test_relations.py": [
            "test_a_mirrored_table_gets_the_same_findings",
            "test_scopes_are_those_of_whole_replays",
        ],
        "conformance/clx/test_generate.py": [
            "test_a_game_that_is_led_comes_to_what_it_is_led_to_and_accuses_nobody",
        ],
        "conformance/clx/test_plant.py": [
            "test_what_is_no_fault_by_the_rules_is_not_planted",
        ],
        "conformance/hcg/test_plant.py": [
            "test_faults_that_long_runs_showed_to_be_judged_wrongly",
        ],
        "conformance/test_one_slip_told_once.py": [
            "test_a_slip_accuses_nobody_of_what_follows",
            "test_all_that_a_slip_leads_to_is_explained_by_it",
            "test_what_later_lines_are_accused_of_tells_the_slip",
        ],
        "conformance/test_plant.py": [
            "test_a_planted_fault_is_found_and_nothing_beside_it",
        ],
        "geometry/test_sight_batch.py": [
            "test_answers_agree_with_the_second_method",
        ],
        "hcg/test_other_names.py": [
            "test_each_player_may_bear_the_name_of_the_other",
            "test_the_sectors_may_bear_other_numbers",
        ],
        "hcg/test_written_otherwise.py": [
            "test_a_text_that_alone_can_be_meant_need_not_be_numbered",
            "test_lists_have_no_order",
        ],
        "systems/test_in_doubt.py": [
            "test_an_unknown_event_adds_no_accusation",
        ],
    },
    6: {
        "calth/test_against_the_referee.py": [
            "test_a_game_played_under_other_readings_is_judged_alike",
            "test_a_log_that_says_less_accuses_nobody_whom_the_whole_log_does_not",
        ],
        "calth/test_damage.py": [
            "test_a_damaged_game_accuses_nobody_whom_the_whole_one_clears",
        ],
        "clx/test_one_slip.py": [
            "test_a_path_that_begins_elsewhere_is_one_fault_there",
        ],
        "conformance/clx/test_plant.py": [
            "test_a_game_that_is_led_to_a_fault_has_it_and_no_other",
        ],
        "conformance/clx/test_relations.py": [
            "test_the_same_is_found_however_it_is_written",
        ],
        "conformance/clx/test_turning.py": [
            "test_a_fault_of_every_option_is_found_and_only_there_and_open_where_nobody_ruled",
        ],
        "conformance/hcg/test_plant.py": [
            "test_a_planted_fault_is_found",
        ],
        "conformance/hcg/test_turning.py": [
            "test_what_a_long_run_once_found_wrong_is_right",
        ],
        "conformance/test_check.py": [
            "test_a_generated_game_is_legal",
        ],
        "conformance/test_one_slip_told_once.py": [
            "test_a_slip_that_changes_nothing_accuses_nobody",
        ],
        "conformance/test_relations.py": [
            "test_a_game_written_otherwise_is_judged_the_same",
        ],
        "conformance/test_turning.py": [
            "test_an_example_is_open_exactly_where_options_disagree_and_its_scopes_say_where",
        ],
        "geometry/inches/test_whole_tables.py": [
            "test_what_overlaps_and_what_runs_through_whom",
            "test_who_comes_too_near_and_what_ground_is_crossed",
        ],
        "geometry/test_sight.py": [
            "test_a_declared_aim_is_judged_by_its_own_line",
            "test_evidence_shows_what_was_decided",
        ],
        "hcg/test_games.py": [
            "test_a_number_of_a_game_that_is_off_by_one_is_found_where_it_stands",
        ],
        "hcg/test_packs.py": [
            "test_a_sheet_is_the_same_set_however_a_spreadsheet_saves_it",
        ],
        "systems/test_patterns_are_linear.py": [
            "test_a_pattern_takes_time_in_step_with_the_text",
        ],
    },
    5: {
        "conformance/test_the_conformance_run.py": [
            "test_one_event_of_a_finished_log_is_changed_and_one_fault_is_found",
        ],
    },
    4: {
        "calth/test_against_the_referee.py": [
            "test_an_example_of_a_reading_is_judged_alike_under_each_option",
            "test_an_example_of_an_attack_is_judged_alike",
        ],
        "calth/test_examples.py": [
            "test_a_verdict_turns_on_its_reading",
        ],
        "cli/test_sources.py": [
            "test_the_recorded_games_can_be_audited_in_every_format",
        ],
        "clx/test_examples.py": [
            "test_a_verdict_turns_on_its_reading",
        ],
        "clx/test_left_out.py": [
            "test_a_combat_with_nobody_known_hides_nothing",
            "test_a_flag_that_the_first_position_leaves_out_may_be_set",
            "test_what_is_left_out_accuses_nobody",
        ],
        "clx/test_one_slip.py": [
            "test_what_an_emp_grenade_is_said_to_do_against_its_dice_is_one_fault",
        ],
        "conformance/clx/test_games.py": [
            "test_an_audit_of_a_faulty_game_finds_what_its_list_says_and_nothing_else",
        ],
        "conformance/clx/test_generate.py": [
            "test_a_game_that_is_led_to_a_reading_asks_it_and_is_clean",
        ],
        "conformance/clx/test_turning.py": [
            "test_the_header_rules_as_the_fault_wants_it",
        ],
        "conformance/hcg/test_plant.py": [
            "test_a_refill_after_a_battle_is_the_whole_pile",
            "test_of_a_game_that_is_played_to_its_end_nothing_else_is_said",
        ],
        "conformance/hcg/test_referee.py": [
            "test_a_planted_fault_is_found_and_nothing_else",
        ],
        "conformance/test_generate.py": [
            "test_the_table_stays_possible_after_every_event",
        ],
        "conformance/test_turning.py": [
            "test_a_game_is_judged_alike_under_every_option_of_every_reading",
        ],
        "geometry/inches/test_whole_tables.py": [
            "test_where_a_line_first_runs_into_ground_whatever_sides_lie_along_it",
        ],
        "geometry/test_counts.py": [
            "test_the_second_referee_counts_from_a_hex_alike_under_every_other_option",
        ],
        "geometry/test_paths.py": [
            "test_a_route_over_masks_is_the_path_of_the_graph",
        ],
        "geometry/test_sight.py": [
            "test_a_legal_aim_hangs_on_what_it_asks_alone",
            "test_properties_that_sight_owes",
        ],
        "hcg/test_examples.py": [
            "test_an_example_of_a_reading_turns_on_it",
        ],
        "hcg/test_kept.py": [
            "test_an_audit_is_the_same_if_texts_in_force_and_flag_totals_are_not_kept_from_event_to_event",
        ],
        "hcg/test_packs.py": [
            "test_an_id_of_which_a_spreadsheet_made_a_date_is_named",
        ],
        "hcg/test_said_once.py": [
            "test_a_line_that_names_no_card_is_held_against_nobody",
            "test_a_pass_that_is_written_twice_is_held_against_nobody",
            "test_a_refill_that_comes_after_its_draw_is_missed_once",
        ],
        "hcg/test_watched.py": [
            "test_a_check_sees_the_same_on_a_watched_position",
        ],
        "ingest/test_as_people_write.py": [
            "test_reading_broken_lines_takes_time_in_step_with_their_number",
        ],
        "systems/test_claims_are_left_out.py": [
            "test_an_event_without_its_claims_has_its_facts",
        ],
        "systems/test_lines_that_are_due.py": [
            "test_a_card_that_no_line_deploys_may_lie_at_any_open_sector",
            "test_a_hand_that_no_line_draws",
            "test_an_activation_that_no_line_has",
            "test_no_line_is_named_after_which_what_is_left_out_would_be_due_no_longer",
        ],
        "systems/test_what_a_value_was.py": [
            "test_a_phase_that_neither_of_the_lines_on_both_sides_is_in",
        ],
        "web/test_uploads.py": [
            "test_hostile_text_in_a_log_is_shown_as_text_on_every_page",
        ],
    },
    3: {
        "bench/test_heavy.py": [
            "test_a_page_of_a_report_has_at_most_2_mb",
        ],
        "calth/test_against_the_referee.py": [
            "test_faults_planted_together_are_found_and_nothing_else",
            "test_what_hangs_on_an_open_reading_is_left_open_and_nothing_else",
        ],
        "calth/test_whole_records.py": [
            "test_play_that_is_taken_back_and_made_again_is_no_fault",
        ],
        "cli/test_exit_status.py": [
            "test_an_interrupted_audit_ends_quietly",
        ],
        "clx/test_one_slip.py": [
            "test_a_row_left_out_of_a_move_is_one_fault_there",
        ],
        "clx/test_precision.py": [
            "test_places_rounded_to_what_the_header_says_accuse_nobody",
        ],
        "conformance/clx/test_referee.py": [
            "test_a_planted_fault_is_found_and_nothing_else",
            "test_of_a_recorded_game_it_finds_what_the_list_names_as_far_as_it_follows",
        ],
        "conformance/hcg/test_games.py": [
            "test_an_audit_of_a_recorded_game_finds_what_its_list_says",
        ],
        "conformance/hcg/test_referee_abilities.py": [
            "test_an_ability_that_breaks_a_rule_is_named_under_it",
        ],
        "conformance/hcg/test_referee_spoiled.py": [
            "test_what_was_spoiled_is_found",
        ],
        "conformance/test_agreement.py": [
            "test_a_generated_legal_game_is_not_accused_of_anything",
            "test_a_planted_fault_is_the_one_finding_that_stands",
        ],
        "conformance/test_check.py": [
            "test_a_game_generated_under_other_readings_is_legal_under_them",
            "test_a_game_with_claims_left_out_is_legal",
        ],
        "conformance/test_labels.py": [
            "test_both_sides_may_use_the_same_labels",
        ],
        "conformance/test_spelled.py": [
            "test_what_a_line_does_not_state_accuses_nobody_and_what_it_states_wrongly_does",
            "test_what_may_hang_on_a_value_that_cannot_be_read_accuses_nobody",
        ],
        "conformance/test_the_conformance_run.py": [
            "test_a_fault_that_is_a_whole_act_ends_the_log_that_it_is_played_onto",
        ],
        "conformance/test_written_otherwise.py": [
            "test_a_model_that_took_all_its_wounds_is_gone_whichever_of_them_felled_it",
            "test_what_is_written_otherwise_can_be_read_and_names_its_events",
        ],
        "geometry/test_lines.py": [
            "test_a_line_meets_what_exact_intervals_say_it_meets",
        ],
        "hcg/test_fights.py": [
            "test_no_number_can_be_off_by_one",
        ],
        "hcg/test_games.py": [
            "test_a_game_with_implied_passes_or_in_short_is_clean",
            "test_claims_left_out_of_a_game_accuse_nobody",
        ],
        "hcg/test_said_once.py": [
            "test_a_card_that_a_reset_leaves_out_and_that_then_acts_was_made_ready",
            "test_cards_that_an_ability_drew_without_a_word_are_missed_once",
        ],
        "ingest/test_header_fields.py": [
            "test_a_field_of_a_header_that_says_otherwise_is_seen_or_refused",
        ],
        "systems/test_damaged_examples.py": [
            "test_a_line_that_cannot_be_read_is_named_and_the_rest_is_audited",
        ],
        "systems/test_in_doubt.py": [
            "test_a_line_lost_out_of_a_legal_record_accuses_nobody",
        ],
        "systems/test_what_a_value_was.py": [
            "test_a_hex_of_a_path_that_is_far_from_the_one_before",
            "test_a_hex_of_a_path_that_stands_there_twice",
        ],
        "web/test_games.py": [
            "test_whatever_is_looked_for_is_only_ever_text",
        ],
    },
    2: {
        "bench/test_bench.py": [
            "test_a_part_of_the_table_runs",
        ],
        "calth/test_scopes_are_those_of_whole_replays.py": [
            "test_in_damaged_games",
        ],
        "calth/test_whole_records.py": [
            "test_tps_that_are_recorded_late_are_told_once_and_of_no_player",
        ],
        "cli/test_read_as.py": [
            "test_a_precision_that_all_places_share_is_offered",
        ],
        "cli/test_sources.py": [
            "test_a_name_that_is_not_utf_8_is_no_fault",
            "test_the_output_is_the_same_whatever_the_number_of_processes",
        ],
        "clx/test_one_slip.py": [
            "test_a_place_typed_wrongly_at_deployment_is_one_fault",
            "test_a_turn_that_begins_without_a_player_accuses_nobody",
            "test_who_took_wounds_in_a_fight_left_out_accuses_nobody",
        ],
        "conformance/test_written_otherwise.py": [
            "test_what_is_written_otherwise_is_judged_the_same",
        ],
        "geometry/test_sight.py": [
            "test_what_is_seen_of_far_hexes_agrees_with_the_second_method",
        ],
        "hcg/test_kept.py": [
            "test_an_audit_is_the_same_if_nothing_is_kept_while_an_event_is_judged",
        ],
        "hcg/test_logs.py": [
            "test_less_of_it_accuses_nobody",
        ],
        "systems/test_wording.py": [
            "test_no_words_on_a_table_of_inches_lie_over_others_over_a_base_or_over_a_line",
        ],
        "web/test_own_names.py": [
            "test_a_form_of_another_audit_is_never_served",
        ],
        "web/test_packs.py": [
            "test_packs_may_be_any_bytes",
        ],
        "web/test_uploads.py": [
            "test_rulings_may_be_any_bytes",
        ],
    },
}
"""Of these tests the first case and then one in so many is tried, in the order of the run, which is another each time
(pytest-randomly): each tries one property on many examples, games or seeds. Of a test that is not named here all cases are
tried, those with what examples are expected to give before all."""


def left_for_whole_runs(names: Iterable[str]) -> set[int]:
    """The places, among the names of cases in order, of those that only whole runs try. A name is that of a file in
    `tests`, of a test and of a case: `hcg/test_scopes.py::test_a_scope_is…[HCG-OPT-06/legal-1]`."""
    shares = {f"{file}::{test}": n for n, files in CASES.items() for file, tests in files.items() for test in tests}
    seen: Counter[str] = Counter()
    left: set[int] = set()
    for place, name in enumerate(names):
        test = name.partition("[")[0]
        if not WHOLE and seen[test] % shares.get(test, 1):
            left.add(place)
        seen[test] += 1
    return left
