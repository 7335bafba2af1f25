"""Cases that take turns: in the gate runs a sixth of each family, at other commits another.

A family is a test whose cases are samples of a law: seeds, generated games, shipped games before
one question. A mistake in the law shows in most cases, so each commit tries some, and commits
together try all. Tests whose cases are other questions (messages, commands, pages) run whole.
Of the files in `HALVES` half runs. `python -m pytest -m in_turn` runs every case of every family,
as does any run in which `TESTS_TURN` is not set.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Iterable

import pytest

PERIOD = 6
"""Turns until every case of a family has run."""
HALVES = (
    "browser/test_playground.py",
    "laws/test_information.py",
    "laws/test_plays.py",
    "laws/test_rewards.py",
    "laws/test_slices.py",
    "laws/test_solving.py",
)
"""Files below `tests` whose tests take turns, too: in each turn half of a file runs."""

FAMILIES: dict[str, tuple[str, ...]] = {
    "bridges/test_openspiel.py": (
        "test_openspiel_has_no_complaint",
        "test_random_play_is_as_exploitable_as_in_the_game_of_openspiel",
    ),
    "differential/test_errors.py": ("test_the_same_error_comes_at_the_same_place",),
    "differential/test_generated_games.py": (
        "test_games_that_have_shown_a_mistake_are_played_alike",
        "test_generated_games_are_played_alike",
    ),
    "differential/test_kinds_that_meet_in_none.py": ("test_codes_of_compared_kinds_are_disjoint",),
    "differential/test_known_branches.py": ("test_guards_in_branches_mean_what_they_say",),
    "differential/test_left_out.py": (
        "test_a_part_is_missed_by_some_game_that_is_played_alike_without_it",
        "test_games_are_played_as_the_rules_say_with_any_parts_left_out",
        "test_games_have_the_same_perft_with_any_parts_left_out",
        "test_generated_games_are_played_as_the_rules_say_with_any_parts_left_out",
    ),
    "differential/test_long_series.py": (
        "test_a_long_domain_and_a_long_sum_of_numbers_have_no_limit_of_terms",
        "test_a_long_series_is_printed_as_it_is_written",
        "test_a_long_series_means_the_same_as_a_short_one",
    ),
    "differential/test_once_different.py": (
        "test_games_that_were_once_different_are_played_alike",
    ),
    "differential/test_optional.py": (
        "test_both_sides_are_worked_out_before_one_is_found_to_be_none",
    ),
    "differential/test_recursion.py": (
        "test_examples_are_played_alike",
        "test_the_same_is_played_with_a_part_of_the_compiler_left_out",
    ),
    "differential/test_shipped_games.py": ("test_generated_python_plays_as_the_interpreter",),
    "differential/test_wrapped_boards.py": ("test_engines_agree_where_the_board_wraps",),
    "doors/test_first_steps.py": (
        "test_a_template_is_right_and_so_is_each_of_the_three_changes_that_it_names",
    ),
    "doors/test_notebooks.py": ("test_cells_show_what_is_kept",),
    "facts/test_chess_variants.py": ("test_perft_counts_are_those_of_python_chess",),
    "facts/test_openspiel_files.py": ("test_a_file_is_formatted_and_has_a_first_position",),
    "fuzz/test_fuzz.py": ("test_a_mutant_of_a_shipped_game_is_read",),
    "golden/games/test_games.py": ("test_a_game_is_as_reviewed",),
    "hostile/test_hostile.py": ("test_nothing_goes_wrong",),
    "laws/test_including.py": ("test_a_split_game_is_the_whole_game",),
    "laws/test_slices.py": ("test_idle_parts_of_shipped_games_cost_no_positions",),
    "native/test_batches.py": ("test_plays_go_as_the_plays_of_an_environment_with_the_same_seed",),
    "native/test_long_series.py": ("test_a_long_series_counts_alike_natively",),
    "native/test_mpi.py": ("test_the_files_do_not_depend_on_the_number_of_processes",),
    "native/test_native.py": (
        "test_boards_of_more_squares_than_a_word_has_bits_are_played_natively",
        "test_generated_games_count_alike_in_native_code",
        "test_native_perft_gives_the_published_counts",
        "test_native_playouts_with_foresight_are_those_of_python",
    ),
    "native/test_proof_search.py": ("test_mates_follow_from_the_rules_of_chess",),
    "native/test_sampled_play.py": ("test_chance_is_beaten",),
    "native/test_solving.py": (
        "test_alpha_beta_finds_the_published_value_of_connect_four_on_small_boards",
        "test_interests_of_any_sort_are_solved_as_by_python_kept_and_verified",
        "test_machine_code_says_of_every_state_what_python_says",
        "test_play_that_can_return_is_solved_by_retrograde_analysis",
        "test_solutions_with_rewards_and_chance_are_kept_in_files_and_verified",
    ),
    "native/test_trees.py": ("test_native_trees_are_those_of_python",),
    "peers/test_arena.py": ("test_openspiels_search_wins_matches_against_chance",),
    "peers/test_chess.py": (
        "test_a_game_goes_as_it_does_in_python_chess",
        "test_the_third_repetition_ends_a_game",
    ),
    "peers/test_draughts.py": ("test_a_game_goes_as_it_does_in_pydraughts",),
    "peers/test_spiel.py": ("test_a_game_goes_as_it_does_in_openspiel",),
    "smoke/test_every_feature.py": ("test_generated_games_are_played_alike",),
    "unit/archive/test_checkpoints.py": (
        "test_any_number_of_edges_told_by_a_checkpoint_comes_to_the_same_values",
        "test_work_that_is_cut_off_again_and_again_comes_to_the_same_numbers",
    ),
    "unit/archive/test_layers.py": ("test_tiers_are_right_for_machine_code_and_for_python",),
    "unit/archive/test_planted.py": (
        "test_an_index_of_blocks_that_are_not_there_is_damage",
        "test_what_is_planted_under_a_right_checksum_is_told_and_never_raised",
    ),
    "unit/archive/test_saved.py": (
        "test_a_solution_that_was_saved_is_verified",
        "test_a_solution_that_was_saved_says_the_same",
        "test_every_damaged_byte_is_found",
    ),
    "unit/compiler/test_dependent_domains.py": ("test_what_fits_where_is_that_of_the_interpreter",),
    "unit/compiler/test_fills.py": (
        "test_boards_of_other_shapes_have_other_rays",
        "test_conditions_along_rays_are_those_of_the_rules",
    ),
    "unit/compiler/test_kept.py": (
        "test_what_is_left_out_is_left_out_where_a_whole_module_is_kept",
    ),
    "unit/compiler/test_lists.py": ("test_items_and_errors_are_those_of_the_interpreter",),
    "unit/compiler/test_llvm_printer.py": (
        "test_wide_integers_are_those_of_python_cut_to_their_width",
    ),
    "unit/compiler/test_narrowed.py": ("test_narrowed_values_are_those_of_the_interpreter",),
    "unit/compiler/test_packed_states.py": (
        "test_a_state_comes_back_from_a_pickle_and_from_a_copy_and_plays_on",
        "test_states_of_both_engines_are_equal_and_hash_alike",
    ),
    "unit/compiler/test_parallel_tests.py": ("test_families_are_counted_as_the_rules_say",),
    "unit/compiler/test_parts_of_variables.py": ("test_parts_are_boards_as_for_the_interpreter",),
    "unit/compiler/test_prospects.py": (
        "test_the_same_of_shipped_games",
        "test_who_is_said_to_have_no_chance_has_none",
    ),
    "unit/compiler/test_set_loops.py": (
        "test_loops_over_squares_are_played_as_they_are_written",
        "test_loops_within_loops_are_played_as_they_are_written",
    ),
    "unit/compiler/test_subsets.py": ("test_every_engine_means_the_same_set",),
    "unit/compiler/test_truths_beside_atoms.py": ("test_truths_are_those_of_the_interpreter",),
    "unit/compiler/test_well_formed.py": (
        "test_a_shipped_game_is_well_formed_at_every_stage",
        "test_generated_games_are_well_formed_at_every_stage",
    ),
    "unit/compiler/test_what_fails_first.py": ("test_the_same_fails_first",),
    "unit/conformance/test_lockstep.py": (
        "test_a_planted_difference_is_found_by_its_shortest_play",
    ),
    "unit/conformance/test_planted_variants.py": (
        "test_each_planted_difference_is_found_by_a_shortest_play",
    ),
    "unit/conformance/test_slips.py": ("test_nothing_is_remarked_on_in_a_shipped_game",),
    "unit/game/test_naming.py": ("test_arguments_are_joined_by_commas_blanks_dashes_or_nothing",),
    "unit/model/rewriting/test_endings.py": (
        "test_the_ending_asked_before_a_move_is_the_one_after_it",
    ),
    "unit/model/rewriting/test_levels.py": ("test_levels_of_shipped_games",),
    "unit/model/rewriting/test_normal_forms.py": (
        "test_players_are_swapped_with_the_board_turned_round",
    ),
    "unit/model/rewriting/test_quantities.py": ("test_every_edge_keeps_to_what_is_proved",),
    "unit/model/rewriting/test_symmetries.py": (
        "test_results_in_the_image_of_a_state_are_the_images_of_results",
    ),
    "unit/model/test_limits.py": (
        "test_what_is_too_much_is_an_error",
        "test_what_is_only_large_can_be_read_and_played",
    ),
    "unit/reports/test_board_svg.py": (
        "test_the_picture_of_every_game_is_well_formed_and_stands_in_the_gallery",
    ),
    "unit/reports/test_explain.py": (
        "test_every_game_has_the_functions_of_the_textbook_in_letters_that_latex_has",
    ),
    "unit/services/test_services.py": (
        "test_a_text_twice_as_long_is_twice_the_work_whatever_is_wrong_in_it",
    ),
    "unit/solvers/analysis/test_puzzles.py": ("test_twenty_puzzles_of_four_games_are_unique",),
    "unit/solvers/chance/test_strategy_improvement.py": (
        "test_games_made_at_random_have_the_values_of_shapleys_operator",
    ),
    "unit/solvers/chance/test_value_iteration.py": ("test_piglet_has_the_published_probabilities",),
    "unit/solvers/equilibria/test_equilibria.py": (
        "test_many_sequences_are_exact_by_the_equations_that_regrets_show",
        "test_regrets_vanish_and_the_bounds_hold",
    ),
    "unit/solvers/equilibria/test_numbered_form.py": (
        "test_the_kernel_finds_the_form_of_the_walk",
    ),
    "unit/solvers/equilibria/test_regret_minimisation.py": ("test_machine_code_learns_the_same",),
    "unit/solvers/equilibria/test_view_learning.py": (
        "test_bounds_hold_the_known_value",
        "test_machine_code_lists_the_same_states",
    ),
    "unit/solvers/graphs/test_graph.py": (
        "test_an_exploration_sees_a_cycle_as_soon_as_it_has_walked_it",
    ),
    "unit/solvers/kernels/chance/test_interval.py": (
        "test_values_are_those_of_value_iteration",
        "test_values_with_rewards_and_discounts_are_those_of_python",
    ),
    "unit/solvers/kernels/chance/test_turns.py": (
        "test_games_of_turns_are_solved_as_their_whole_graph_is",
    ),
    "unit/solvers/kernels/search/test_alpha_beta.py": (
        "test_a_shipped_game_is_worth_what_the_whole_graph_says",
        "test_an_order_that_is_known_spares_positions",
        "test_chances_that_are_gone_change_no_value",
        "test_chances_that_are_gone_spare_positions",
        "test_games_like_those_with_a_known_order_are_worth_what_the_whole_graph_says",
        "test_images_and_wins_that_are_foreseen_change_no_value_and_spare_positions",
        "test_tables_fill_the_memory_and_no_more",
    ),
    "unit/solvers/kernels/search/test_proof_number.py": (
        "test_wins_that_are_forced_are_proved_and_no_others",
    ),
    "unit/solvers/kernels/search/test_uct.py": ("test_what_is_proved_holds_in_generated_games",),
    "unit/solvers/kernels/test_deepening.py": (
        "test_random_tokens_have_the_shortest_solutions_that_python_finds",
    ),
    "unit/solvers/kernels/test_endings_aside.py": (
        "test_every_position_is_worth_the_same_where_endings_are_put_aside",
    ),
    "unit/solvers/kernels/test_fitted_keys.py": ("test_a_solution_is_the_same_with_fitted_keys",),
    "unit/solvers/kernels/test_induction.py": (
        "test_every_state_of_a_game_of_any_interests_is_worth_what_python_says",
        "test_every_state_of_a_random_race_is_worth_what_python_says",
        "test_every_state_of_a_shipped_game_is_worth_what_python_says",
        "test_games_that_strain_the_table_are_solved_as_by_python",
    ),
    "unit/solvers/kernels/test_ordering.py": ("test_each_state_is_found_where_it_lies",),
    "unit/solvers/kernels/test_retrograde.py": (
        "test_arrays_that_grow_in_small_steps_hold_the_same",
        "test_every_state_of_a_random_race_in_a_circle_is_worth_what_python_says",
        "test_images_are_one_entry_and_are_counted_each",
        "test_states_are_counted_without_being_settled",
        "test_sweeps_by_rules_and_lists_turned_round_say_the_same",
        "test_where_players_are_swapped_every_state_is_worth_what_python_says",
    ),
    "unit/solvers/kernels/test_searches.py": (
        "test_keys_that_are_dense_or_fitted_hold_the_same",
        "test_play_that_returns_is_seen_by_any_number_of_threads",
        "test_threads_find_of_a_random_race_what_one_finds",
    ),
    "unit/solvers/kernels/test_stages.py": (
        "test_components_are_bounded_on_the_way",
        "test_values_are_those_of_python",
    ),
    "unit/solvers/kernels/test_threads.py": (
        "test_parts_in_turn_find_what_the_whole_finds",
        "test_threads_of_machine_code_find_of_every_position_what_one_finds",
    ),
    "unit/solvers/normal_form/test_normal_form.py": (
        "test_games_made_at_random_have_an_odd_number_of_equilibria",
        "test_volunteers_have_every_equilibrium_in_which_some_help_by_chance",
    ),
    "unit/solvers/shards/test_ranks.py": (
        "test_the_bytes_depend_neither_on_the_number_of_processes_nor_on_room",
    ),
    "unit/solvers/shards/test_shards.py": (
        "test_every_position_has_the_value_of_the_solver_in_memory",
        "test_generated_games",
        "test_shipped_games_in_tiers",
        "test_the_bytes_depend_neither_on_room_nor_on_threads",
        "test_tiers_have_the_values_of_retrograde_analysis",
        "test_work_that_was_cut_off_goes_on_to_the_same_bytes",
    ),
    "unit/solvers/test_estimate.py": (
        "test_sampled_layers_tell_the_number_of_positions",
        "test_there_are_as_many_positions_as_random_plays_tell_or_more",
    ),
    "unit/solvers/test_value_search.py": (
        "test_a_forced_win_is_looked_for_beside_a_long_search",
        "test_value_and_best_moves_are_those_of_the_whole_graph",
    ),
    "unit/syntax/test_format.py": ("test_a_shipped_game_is_formatted_already",),
}
"""File below `tests` -> its families: tests of several cases that take a second of processor
time or more together."""


def turn() -> int | None:
    """The number of the turn, from `TESTS_TURN`; None where all cases run."""
    written = os.environ.get("TESTS_TURN", "")
    if written and not written.isdecimal():
        raise pytest.UsageError(f"TESTS_TURN is a number, or empty for all cases; found {written}")
    return int(written) if written else None


def family_of(test: str) -> tuple[str, int] | None:
    """The family of a test, given as pytest names tests, and its period; None if the test always
    runs."""
    file, _, name = test.removeprefix("tests/").partition("::")
    title = name.partition("[")[0]
    if title.rpartition("::")[2] in FAMILIES.get(file, ()):
        return f"{file}::{title}", PERIOD
    return (file, 2) if file in HALVES else None


def has_turn(case: int, cases: int, period: int, number: int) -> bool:
    """Whether a case of a family of so many cases runs in a turn: of as many cases as the period
    has turns, one, at another place each time, so that no parameter has the same value in all."""
    period = min(period, cases)
    return (case + case // period) % period == number % period


def of_this_turn(tests: Iterable[str], number: int) -> list[bool]:
    """Whether each test, given as pytest names tests, runs in a turn."""
    families = [family_of(test) for test in tests]
    cases, before = Counter(families), Counter[tuple[str, int] | None]()
    runs: list[bool] = []
    for family in families:
        runs.append(family is None or has_turn(before[family], cases[family], family[1], number))
        before[family] += 1
    return runs


def main(cases: list[str]) -> None:
    """`python -m tests.turns CASE ...`: print the cases of one family that run in this turn."""
    number = turn()
    for place, case in enumerate(cases):
        if number is None or has_turn(place, len(cases), PERIOD, number):
            print(case)


if __name__ == "__main__":
    main(sys.argv[1:])
